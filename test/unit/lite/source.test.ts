import { afterEach, describe, expect, it } from 'vitest';
import { checkpointFromZerostate, validatorSetAt } from '../../../src/chain/checkpoint.ts';
import { followBlocks } from '../../../src/net/follow/follow.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { proveBlock } from '../../../src/net/lite/prove.ts';
import { liteSource } from '../../../src/net/lite/source.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { quorumOf } from '../../../src/net/sources/quorum-source.ts';
import { verifyBlock } from '../../../src/verify/verifier.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { type LiteStandInOptions, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { answerLive, LIVE, liveAnswer } from '../../helpers/live-answers.ts';

const started: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close();
});

async function serve(answer: LiteStandInOptions['answer']) {
  const standIn = await startLiteStandIn({ answer });
  const client = connectLite(standIn.server);
  started.push(standIn, client);
  return { standIn, client };
}

const chain = new LiteChain({ length: 27, hasStates: true });
const checkpoint = () => checkpointFromZerostate(chain.zerostate.boc, chain.zerostateId);

describe.each(['ordinary', 'simplex'] as const)('signatures from a lite server, %s', (kind) => {
  const signed = new LiteChain({ length: 27, kind });

  it.each([1, 9, 10, 11, 20, 27])('of block %d are final under the set that its key block installs', async (seqno) => {
    const { client } = await serve((asked) => signed.answer(asked));
    const source = liteSource(client);
    const answer = await source.signatures(seqno);
    const set = answer.signatures;
    expect(set.blockId).toEqual(signed.id(seqno));
    expect(set.kind).toBe(kind);
    const proof = await client.blockProof(signed.id(signed.ruler(seqno)), signed.id(seqno));
    expect([answer.body, answer.source]).toEqual([proof.tl, client.name]);
    const evidence = await source.evidenceOf(set);
    expect(evidence.header).toMatchObject({ source: 'proven', seqno });
    if (signed.ruler(seqno) !== 0) return;
    const validators = validatorSetAt(checkpointFromZerostate(signed.zerostate.boc, signed.zerostateId));
    const report = verifyBlock(set, validators, { evidence, requireBoundId: true });
    expect(report).toMatchObject({ verdict: { status: 'final' }, validators: { setCheck: 'match' } });
    expect(report.bound).toHaveLength(5);
  });
});

describe('a lite server as a source', () => {
  it('gives the signatures that were recorded, of a block between key blocks', async () => {
    const recorded = await serve(({ request }) => answerLive(request));
    const proof = (await recorded.client.blockProof(LIVE.keyBlock, LIVE.block)).claimed;
    expect(proof.links).toHaveLength(1);
    // Recorded was getBlockHeader, not lookupBlock: the answer is the same.
    const { client } = await serve(({ request, constructorId }) =>
      constructorId === '1ef7c8fa' ? liveAnswer('header.tl') : answerLive(request),
    );
    const walked = checkpointFromZerostate(liveAnswer('zerostate.boc'), LIVE.zerostate);
    const { walkBlockProof } = await import('../../../src/chain/walk.ts');
    const trusted = walkBlockProof(walked, liveAnswer('proof-zerostate-to-block.tl')).checkpoint;
    const source = liteSource(client, () => trusted);
    const set = (await source.signatures(LIVE.block.seqno)).signatures;
    const report = verifyBlock(set, validatorSetAt(trusted), { evidence: await source.evidenceOf(set) });
    expect(report.verdict.status).toBe('final');
  });

  it('is asked two questions a block, and one less where the key block is known', async () => {
    const { client, standIn } = await serve((asked) => chain.answer(asked));
    await liteSource(client, checkpoint).signatures(5);
    expect(standIn.asked.map(({ constructorId }) => constructorId)).toEqual(['1ef7c8fa', '449cea8a']);
  });

  it('is followed like any other, the head as it comes', async () => {
    const { client } = await serve((asked) => chain.answer(asked));
    chain.head = 5;
    const source = liteSource(client, checkpoint);
    const seen: number[] = [];
    const controller = new AbortController();
    const blocks = followBlocks(source, {
      validators: validatorSetAt(checkpoint()),
      evidenceOf: (set, opts) => source.evidenceOf(set, opts),
      from: 3,
      pollMs: 10,
      signal: controller.signal,
    });
    for await (const report of blocks) {
      expect(report.verdict.status).toBe('final');
      seen.push(report.coverage.blockId.seqno);
      if (chain.head < 9) chain.head += 1;
      if (seen.length === 6) controller.abort();
    }
    expect(seen).toEqual([3, 4, 5, 6, 7, 8]);
    chain.head = 27;
  });

  it('agrees with another in a quorum, by the id of the block', async () => {
    const servers = [await serve((asked) => chain.answer(asked)), await serve((asked) => chain.answer(asked))];
    const sources = servers.map(({ client }) => liteSource(client));
    const quorum = quorumOf(sources, 2);
    expect((await quorum.signatures(7)).signatures.blockId).toEqual(chain.id(7));
  });

  it('refuses an answer that carries no signatures of the block', async () => {
    const { client } = await serve((asked) =>
      asked.constructorId === '449cea8a' ? chain.proof(0, 6) : chain.answer(asked),
    );
    await expect(liteSource(client).signatures(5)).rejects.toMatchObject({ code: 'source/wrong-block' });
  });
});

describe('an older block', () => {
  it('is proven by a head, as its own kind of provenance', async () => {
    const { client, standIn } = await serve((asked) => chain.answer(asked));
    const head = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    for (const seqno of [1, 10, 26]) {
      const proof = await proveBlock([client], head, seqno);
      expect(proof.blockId).toEqual(chain.id(seqno));
      expect(proof.header.seqno).toBe(seqno);
      expect(proof.provenance).toMatchObject({ kind: 'ancestor', head: chain.id(27) });
    }
    const before = standIn.asked.length;
    for (const seqno of [0, 27, 28, 1.5, Number.NaN]) {
      await expect(proveBlock([client], head, seqno)).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
    expect(standIn.asked.length).toBe(before);
  });

  it('is not proven by a server that names another chain, and the next one is asked', async () => {
    const fork = new LiteChain({ length: 27, hasStates: true, forkAt: 5 });
    const liar = await serve((asked) =>
      asked.constructorId === '1ef7c8fa' ? fork.answer(asked) : chain.answer(asked),
    );
    const honest = await serve((asked) => chain.answer(asked));
    const head = await syncCheckpoint([honest.client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    expect((await proveBlock([liar.client, honest.client], head, 7)).blockId).toEqual(chain.id(7));
    await expect(proveBlock([liar.client], head, 7)).rejects.toMatchObject({ name: 'SourceError' });
    const wanderer = await serve((asked) =>
      asked.constructorId === '449cea8a' ? chain.proof(27, 8) : chain.answer(asked),
    );
    await expect(proveBlock([wanderer.client], head, 7)).rejects.toMatchObject({ code: 'source/malformed' });
  });
});
