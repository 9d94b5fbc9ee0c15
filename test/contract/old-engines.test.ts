/** Importing an entry needs nothing beside the language: what old and small engines lack is asked for when it is used. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';

const ENTRIES = ['', '/chain', '/facts', '/servers', '/report', '/sample'];

/** Of Node's globals, whatever is no part of ES2020. */
const PROGRAM = `
const { log } = console;
const language = /^(globalThis|Object|Function|Array|Number|parse(Float|Int)|Infinity|NaN|undefined|Boolean|String|Symbol|Date|Promise|RegExp|Error|AggregateError|\\w+Error|JSON|Math|ArrayBuffer|\\w+Array|DataView|Map|BigInt|Set|WeakMap|WeakSet|Proxy|Reflect|(de|en)codeURI(Component)?|escape|unescape|eval|isFinite|isNaN)$/;
const gone = Object.getOwnPropertyNames(globalThis).filter((name) => !language.test(name));
for (const name of gone) delete globalThis[name];
for (const entry of ${JSON.stringify(ENTRIES)}) await import('ton-finality' + entry);
log(gone.length, typeof TextDecoder, typeof WebAssembly, typeof process);
`;

it('every entry that runs anywhere can be imported where there is only the language', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: ROOT,
  });
  expect(stdout).toMatch(/^\d{2,} undefined undefined undefined\n$/);
});
