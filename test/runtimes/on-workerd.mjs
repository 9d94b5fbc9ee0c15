/** The program of a worker in workerd: answers a request, whose body is the cases, with what each engine makes of them. */
import { ENGINES } from './engines.mjs';
import { judgeAll } from './reports.mjs';

export default {
  async fetch(request) {
    return Response.json(await judgeAll(await request.json(), ENGINES));
  },
};
