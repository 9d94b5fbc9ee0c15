/**
 * Stands in for `openssl.ts` when a bundler builds for browsers (`browser` in package.json): there is no OpenSSL there,
 * so the page need not carry the code that would look for it.
 */
import { EngineError } from '../base/errors.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';

export const opensslEngine: Ed25519Engine = Object.freeze({
  name: 'openssl',
  open(): KeyRing {
    throw new EngineError('engine/self-test', 'a browser has no OpenSSL');
  },
});
