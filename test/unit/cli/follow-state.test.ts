/** What the state of `follow` says at each moment at which the process may be killed. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFollowState } from '../../../src/app/cli/follow/follow-state.ts';
import { formatBlockId } from '../../../src/core/block/block-id.ts';
import { makeBlockId } from '../../helpers/make-block.ts';

it('names the first block before that is printed, so that a run which is killed then leaves no gap', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ton-finality-follow-state-'));
  try {
    const file = join(folder, 'state.json');
    const read = () => JSON.parse(readFileSync(file, 'utf8')) as unknown;
    const schema = 'ton-finality/follow-state@1';
    const run = await openFollowState(file);
    run.begin(7);
    expect(read()).toEqual({ schema, from: 7 });
    run.close();
    const next = await openFollowState(file);
    expect(next.kept).toEqual({ from: 7 });
    next.begin(30); // it is the state that says where
    expect(read()).toEqual({ schema, from: 7 });
    next.note({ after: makeBlockId(7) });
    next.keep();
    expect(read()).toEqual({ schema, after: formatBlockId(makeBlockId(7)) });
    next.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('is written once more before the first block is printed where it has to outlive a power cut: the run before may not have written it through', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ton-finality-follow-state-'));
  try {
    const file = join(folder, 'state.json');
    const first = await openFollowState(file);
    first.note({ after: makeBlockId(7) });
    first.keep();
    first.close();
    const [text, { ino }] = [readFileSync(file, 'utf8'), statSync(file)];
    for (const sync of [false, true]) {
      const next = await openFollowState(file, { sync });
      next.begin(8);
      next.close();
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(statSync(file).ino === ino).toBe(!sync); // a new file takes its place
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
