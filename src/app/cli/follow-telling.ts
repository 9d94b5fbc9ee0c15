/** Reports events of a follower: why there is no block, what servers did, and what its end means. */
import type { FollowStall } from '../../net/follow/voice.ts';
import type { LiveWarning } from '../../net/sources/witness-report.ts';
import { printEvent } from './output.ts';
import { statusLine } from './status-line.ts';
import { tellWarning } from './witness-words.ts';

export const FOLLOW_EXIT =
  '0 reached --to, or standard output or (with --ack) standard input closed, 130 or 143 ended by a signal, 1 or 4 a block is not final, 2 bad input, 3 no server answers or they disagree, 4 the validators can have withdrawn their stakes, and too few servers agree or a server contradicts';

/** Says in one line why a follower has no block to print. */
function stallWords({ code, head, said, forMs, error }: FollowStall): string {
  const since = `no new block for ${Math.round(forMs / 1000)} s`;
  const why = error === undefined ? '' : `: ${error.message}`;
  switch (code) {
    case 'no-server':
      return `${since}: no server answers${why}`;
    case 'head-stands':
      return `${since}: servers name ${said} as the newest, and block ${head} is proven`;
    case 'not-proven':
      return `${since}: a server names block ${said}, block ${head} is proven${why}`;
    case 'too-few-witnesses':
      return `${since}${why}`;
    case 'catching-up':
      return `${since} to print: catching up to block ${said}`;
    case 'behind-state':
      return `resuming after block ${head}, but servers name ${said} as the newest: the servers are behind, or the state belongs to a different network`;
  }
}

/** Members of the event object, in addition to code and text. */
function stallMembers({ head, said, forMs }: FollowStall): Readonly<Record<string, number>> {
  return { head, said, seconds: Math.round(forMs / 1000) };
}

/** Makes the callbacks of a follower. Each reports at once; a passing state is one line on a terminal. */
export function followTelling({
  json,
  evidence,
}: {
  readonly json?: true | undefined;
  readonly evidence?: string | undefined;
}) {
  const asJson = json === true;
  const status = statusLine(!asJson);
  return {
    status,
    onTrouble: (error: Error) => status.show(error.message),
    onStall(stall: FollowStall) {
      status.clear();
      void printEvent(stall.code, stallWords(stall), asJson, stallMembers(stall));
    },
    onWarning(warning: LiveWarning) {
      status.clear();
      void tellWarning(warning, evidence, asJson);
    },
  };
}
