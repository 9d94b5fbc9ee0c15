/** Why a follower has nothing to print, in one line. */
import type { FollowStall } from '../../net/follow/voice.ts';

export function stallWords({ code, head, said, forMs, error }: FollowStall): string {
  const since = `no new block for ${Math.round(forMs / 1000)} s`;
  const why = error === undefined ? '' : `: ${error.message}`;
  switch (code) {
    case 'no-server':
      return `${since}: no server answers${why}`;
    case 'head-stands':
      return `${since}: the newest that a server names is ${said}, and block ${head} is proven`;
    case 'not-proven':
      return `${since}: a server names block ${said}, block ${head} is proven${why}`;
    case 'too-few-witnesses':
      return `${since}${why}`;
    case 'catching-up':
      return `${since} to print: catching up to block ${said}`;
    case 'behind-state':
      return `the run goes on after block ${head}, the newest that a server names is ${said}: the servers are behind, or the state is another network's`;
  }
}

/** What an event of it says beside its code and its words. */
export function stallMembers({ head, said, forMs }: FollowStall): Readonly<Record<string, number>> {
  return { head, said, seconds: Math.round(forMs / 1000) };
}
