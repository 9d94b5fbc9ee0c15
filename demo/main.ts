/** The one script of the page. Where there is no document it is the worker, which the page makes of this very text. */
import { startPage } from './page.ts';
import { workAsWorker } from './work.ts';

if (typeof document === 'undefined') workAsWorker();
else startPage(document.getElementById('page')!, document.currentScript?.textContent ?? '');
