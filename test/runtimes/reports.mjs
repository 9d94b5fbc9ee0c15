/** Verifies every recorded block with one engine and hashes all reports. Runs in every runtime: nothing but the language and the package. */
import { sha256 } from '@noble/hashes/sha2.js';
import { parseSignatureList, parseValidatorSet, verifyBlock } from 'ton-finality';
import { reportToJson } from 'ton-finality/report';

/** SHA-256 in hex of the reports as JSON, line by line, without the engine's name. */
export function hashReports(cases, engine) {
  const lines = cases.map(({ name, signatures, validators }) => {
    const report = verifyBlock(parseSignatureList(signatures), parseValidatorSet(validators), { engine });
    return JSON.stringify({ name, ...reportToJson(report), engine: '', run: '' });
  });
  const digest = sha256(new TextEncoder().encode(lines.join('\n')));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What each engine of this runtime makes of the cases. */
export async function judgeAll(cases, engines) {
  const results = [];
  for (const [label, open] of Object.entries(engines)) {
    const engine = await open();
    if (engine !== undefined)
      results.push({ label, engine: engine.name, cases: cases.length, hash: hashReports(cases, engine) });
  }
  return results;
}
