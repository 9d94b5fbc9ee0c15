/** The program of a page and, unless told not to, of a worker that it starts from the same file. */
import { ENGINES } from './engines.mjs';
import { judgeAll } from './reports.mjs';

async function judge() {
  const cases = await (await fetch('/cases.json')).json();
  return await judgeAll(cases, ENGINES);
}

if (typeof document === 'undefined') {
  postMessage(await judge().catch((error) => String(error)));
} else {
  globalThis.onThisPage = judge;
  globalThis.inWorker = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(import.meta.url, { type: 'module' });
      worker.onmessage = ({ data }) => (typeof data === 'string' ? reject(new Error(data)) : resolve(data));
      worker.onerror = ({ message }) => reject(new Error(message));
    });
}
