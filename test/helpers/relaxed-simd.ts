/** Imported for its effect: Node 20 takes relaxed SIMD too, which it has behind a flag. Newer versions need none. */
import { setFlagsFromString } from 'node:v8';

if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');
