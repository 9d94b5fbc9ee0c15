/** The program of Node, Bun and Deno: prints what each engine makes of the recorded blocks, as JSON. */
import { opensslEngine } from 'ton-finality/node';
import { readCases } from './cases.mjs';
import { ENGINES } from './engines.mjs';
import { judgeAll } from './reports.mjs';

function openssl() {
  try {
    opensslEngine.open([]).close();
    return opensslEngine;
  } catch (error) {
    if (error.code?.startsWith('engine/')) return undefined; // it says itself that it is not to be used here
    throw error;
  }
}

console.log(JSON.stringify(await judgeAll(readCases(), { ...ENGINES, openssl })));
