/** What every answer of a lite server can have wrong with its bytes. */
import { liteError } from '../../test/helpers/lite-stand-in.ts';

export function brokenAnswers(good: Uint8Array): readonly (readonly [string, string, Uint8Array])[] {
  const changed = Uint8Array.from(good);
  changed[0]! ^= 1;
  return [
    ['behind', 'Four bytes behind the answer.', Uint8Array.of(...good, 0, 0, 0, 0)],
    ['cut', 'The answer is cut short.', good.subarray(0, good.length - 4)],
    ['constructor', 'Another constructor.', changed],
    ['error', 'The error of a lite server proves nothing, absence least of all.', liteError(651, 'cannot find block')],
    ['nothing', 'No bytes at all.', new Uint8Array(0)],
  ];
}
