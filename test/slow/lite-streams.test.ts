/** Ten thousand broken streams of either kind. */
import { it } from 'vitest';
import { playFlipped, playRandom } from '../helpers/lite-streams.ts';

it('10 000 streams of random bytes give no answer', { timeout: 600_000 }, () => playRandom(10_000));

it('10 000 recorded streams with one bit changed give no answer that was not sent', { timeout: 600_000 }, () =>
  playFlipped(10_000),
);
