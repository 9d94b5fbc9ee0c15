/** What the state of `follow` says at each moment at which the process may be killed. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFollowState } from '../../../src/app/cli/follow/follow-state.ts';
import { formatBlockId } from '../../../src/core/block/block-id.ts';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { makeBlockId } from '../../helpers/make-block.ts';
import { configProof } from '../../helpers/make-chain.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-follow-state-'));
  file = join(folder, 'state.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('names the first block before that is printed, so that a run which is killed then leaves no gap', async () => {
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
  expect(read()).toEqual({ schema, after: formatBlockId(makeBlockId(7)), from: 7 });
  next.close();
});

it('says how to resume after a state that was cut off, is empty or is of something else', async () => {
  const refused = { code: 'usage/bad-option', path: file, hint: expect.stringContaining('pass --from') };
  for (const text of ['', '{"schema":"ton-finality/follow-state@1","af', '{}', 'null', '\u0000']) {
    writeFileSync(file, text);
    await expect(openFollowState(file)).rejects.toMatchObject(refused);
  }
});

it('resumes a run that is started again with the same first block, and refuses one with another', async () => {
  const begin = async (from: number) => {
    const run = await openFollowState(file, { from });
    run.begin(from);
    run.note({ after: makeBlockId(9) });
    run.keep();
    run.close();
    return run.kept;
  };
  expect(await begin(7)).toBeUndefined();
  expect(await begin(7)).toEqual({ after: makeBlockId(9), first: 7 });
  const refused = { code: 'usage/bad-option', message: expect.stringContaining('resumes after block 9') };
  for (const other of [1, 8, 10]) await expect(begin(other)).rejects.toMatchObject(refused);
  // A state of an earlier version names no first block.
  const { from: _, ...older } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(older));
  await expect(begin(7)).rejects.toMatchObject(refused);
});

it('keeps where trust begins in each run until a block is printed, if that is before the first block', async () => {
  const chain = new LiteChain({ length: 25 });
  const trustAt = (seqno: number) => {
    const checkpoint = checkpointFromKeyBlock(configProof(chain.blocks.get(seqno)!), chain.id(seqno));
    return { checkpoint, start: formatBlockId(checkpoint.keyBlock) };
  };
  const startsOf = async (...pinned: readonly (number | undefined)[]) => {
    const starts: unknown[] = [];
    for (const one of pinned) {
      const run = await openFollowState(file, one === undefined ? {} : { trust: trustAt(one) });
      run.begin(12);
      run.close();
      const { from, checkpoint, start } = JSON.parse(readFileSync(file, 'utf8'));
      starts.push([from, checkpoint?.keyBlock.seqno, start?.slice(0, 30)]);
    }
    return starts;
  };
  const at10 = [12, 10, trustAt(10).start.slice(0, 30)];
  expect(await startsOf(undefined, 10, 20)).toEqual([[12, undefined, undefined], at10, at10]);
});

it('is refused over HTTP if trust has moved in it, and stays as it is', async () => {
  const chain = new LiteChain({ length: 25 });
  const checkpoint = checkpointFromKeyBlock(configProof(chain.blocks.get(10)!), chain.id(10));
  const trust = { checkpoint, start: formatBlockId(checkpoint.keyBlock) };
  const run = await openFollowState(file, { trust });
  run.note({ after: chain.id(12), ...trust });
  run.keep();
  run.close();
  const before = readFileSync(file);
  await expect(openFollowState(file)).rejects.toThrow('is of a run over lite servers');
  expect(readFileSync(file)).toEqual(before);
  const again = await openFollowState(file, { trust }); // the lock was released
  expect(again.kept?.after).toEqual(chain.id(12));
  again.close();
});

it('is written once more before the first block is printed where it has to outlive a power cut: the run before may not have written it through', async () => {
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
});

it.each(['-', '', 'folder/'])(
  'is refused by the name %j, which no file has, before anything is asked',
  async (name) => {
    await expect(openFollowState(name)).rejects.toMatchObject({ code: 'usage/bad-option', path: '--state' });
  },
);
