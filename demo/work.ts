/** The work of the worker: it answers one request after the other. Where there are no workers, the page itself does it. */
import { chooseOnce } from './engine.ts';
import { download, fetchFromServer } from './fetching.ts';
import { flipByte } from './flip.ts';
import { judgeBlock } from './judge.ts';
import type { Answer, EngineNews, Reply, Request, Tell } from './protocol.ts';
import { troubleOf } from './trouble.ts';

async function answer(request: Request, tell: Tell): Promise<Answer> {
  switch (request.kind) {
    case 'judge':
      return await judgeBlock(request, tell);
    case 'flip':
      return flipByte(request);
    case 'fetch':
      return await fetchFromServer(request, tell);
    case 'download':
      return await download(request, tell);
  }
}

/** Answers one request; never throws. */
export async function serve(id: number, request: Request, reply: (reply: Reply) => void): Promise<void> {
  try {
    const tell: Tell = (progress) => reply({ type: 'progress', id, progress });
    reply({ type: 'answer', id, answer: await answer(request, tell) });
  } catch (error) {
    reply({ type: 'trouble', id, trouble: troubleOf(error) });
  }
}

/** Says which engine there is, as soon as it is known. The first request reports a missing engine. */
export async function announceEngine(reply: (reply: Reply) => void): Promise<void> {
  try {
    const { name, why } = await chooseOnce();
    const engine: EngineNews = why === undefined ? { name } : { name, why };
    reply({ type: 'engine', engine });
  } catch {
    // the same error comes with the first request, and is shown there
  }
}

/** The program of the worker. */
export function workAsWorker(): void {
  const reply = (message: Reply) => postMessage(message);
  addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly request: Request }>) => {
    void serve(data.id, data.request, reply);
  });
  reply({ type: 'ready' });
  void announceEngine(reply);
}
