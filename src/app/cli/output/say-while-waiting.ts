/** Says on standard error why a command that asks servers has no result yet: after ten seconds, twenty, forty and so on. */
import { Silence } from '../../../net/async/silence.ts';
import type { ServerEvent } from '../../../net/sources/server-events.ts';
import { printEvent } from './print.ts';

/** Records what servers did, and how far the run has come. */
export type Waiting = ReturnType<typeof sayWhileWaiting>;

/** @param onSay called before each line */
export function sayWhileWaiting(asJson: boolean, onSay: () => void = () => {}) {
  let last: ServerEvent | undefined;
  let hasAnswer = false;
  let place: { readonly head: number; readonly said: number } | undefined;
  const silence = new Silence((forMs) => {
    const seconds = Math.round(forMs / 1000);
    const code = place !== undefined ? 'catching-up' : hasAnswer ? 'not-proven' : 'no-server';
    const why = {
      'catching-up': `block ${place?.head} is proven, on the way to block ${place?.said}`,
      'not-proven': 'servers answer, but nothing new is proven',
      'no-server': 'no server has answered',
    }[code];
    const failed = last === undefined || last.outcome === 'ok' ? undefined : last;
    const words = failed === undefined ? '' : `; the last request failed: ${failed.server}, ${failed.outcome}`;
    onSay();
    void printEvent(code, `no result for ${seconds} s: ${why}${words}`, asJson, {
      ...place,
      seconds,
      ...(failed === undefined ? {} : { server: failed.server }),
    });
  });
  silence.begin();
  return {
    onServer(event: ServerEvent) {
      last = event;
      hasAnswer ||= event.outcome === 'ok';
    },
    /** Records that block `head` is proven, on the way to block `said`. */
    proved(head: number, said: number) {
      place = { head, said };
    },
    end: () => silence.end(),
  };
}
