/** The entry of the debug build: what `index.ts` exports and the single operations, for tests to hold against big integers. */

export * from './index';
export {
  addElements, addSubtract, invert, multiply, multiplyAhead, pack, powerForRoot, settle, square, subtractElements, unpack, widestColumn,
} from './field';
export { assertExact } from './exact';
export { canonical } from './key';
export { belowOrder, reduceScalar, topDigit } from './scalar';
export { hashChallenge } from './sha512';
export { NEUTRAL, refer } from './verify';
