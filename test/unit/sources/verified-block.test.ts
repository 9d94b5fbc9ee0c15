/** One block of several sources: asked for until it is good, compared with what the others say, and judged by who agrees. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import { createValidatorSet, type ValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { type BlockOptions, verifyBlock } from '../../../src/core/verify/verifier.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import type { BlockSource } from '../../../src/net/sources/block-source.ts';
import { ForkError } from '../../../src/net/sources/fork-error.ts';
import { type Verification, verifyFrom } from '../../../src/net/sources/verify-from.ts';
import { entryOf, type SetKind, toAnswer, unsignedSet } from '../../helpers/make-block.ts';
import { makeSigners } from '../../helpers/make-validators.ts';

beforeEach(() => void vi.useFakeTimers().setTimerTickMode('nextTimerAsync'));
afterEach(() => void vi.useRealTimers());

const NOW = 1_800_000_000;
const signers = makeSigners([1n, 1n, 1n, 1n]);
const strangers = makeSigners([1n, 1n, 1n, 1n], 'strangers');
const setOf = (utimeUntil = NOW + 1000) =>
  createValidatorSet(
    signers.map(({ publicKey, weight }) => ({ publicKey, weight })),
    { utimeUntil },
  );

/** The signatures of a block; `fill` tells one block of a number from another. */
function signed(seqno: number, fill = 1, kind: SetKind = 'simplex', by = signers, count = 4): SignatureList {
  const id = {
    workchain: -1,
    shard: -(1n << 63n),
    seqno,
    rootHash: new Uint8Array(32).fill(fill),
    fileHash: new Uint8Array(32).fill(fill + 100),
  };
  const unsigned = unsignedSet(kind, id);
  const message = signedMessage(unsigned);
  return { ...unsigned, signatures: by.slice(0, count).map((signer) => entryOf(signer, message)) };
}

const damaged = (set: SignatureList): SignatureList => {
  const [first, ...rest] = set.signatures;
  return { ...set, signatures: [{ ...first!, signature: first!.signature.map((byte) => byte ^ 1) }, ...rest] };
};

type Say = SignatureList | SourceError | 'hang';

function source(
  name: string,
  say: (seqno: number) => Say,
  head: number | SourceError = 5,
): BlockSource & { seen: string[] } {
  const seen: string[] = [];
  return {
    name,
    seen,
    async latestSeqno() {
      seen.push('head');
      if (head instanceof SourceError) throw head;
      return head;
    },
    async signatures(seqno, opts = {}) {
      seen.push(`block ${seqno}`);
      const said = say(seqno);
      if (said === 'hang')
        return await new Promise((_, reject) => {
          opts.signal?.addEventListener('abort', () => reject(new SourceError('source/aborted', `${name}: stopped`)));
        });
      if (said instanceof SourceError) throw said;
      const body = new TextEncoder().encode(JSON.stringify(toAnswer(said)));
      return { signatures: said, source: name, body };
    },
  };
}

const failing = (name: string, code: 'source/not-ready' | 'source/upstream' | 'source/wrong-network') =>
  new SourceError(code, `${name}: ${code}`, { endpoint: name });

interface Terms extends Partial<Verification> {
  readonly set?: ValidatorSet;
  readonly policy?: BlockOptions;
}

async function verify(sources: readonly BlockSource[], { set = setOf(), policy, ...terms }: Terms = {}) {
  const judging: BlockOptions = { requireBoundId: true, ...policy };
  const judge = (block: SignatureList) => verifyBlock(block, set, judging);
  return await verifyFrom(sources, { wanted: 5, witnesses: 0, nowSeconds: NOW, ...terms }, async ({ signatures }) => ({
    report: judge(signatures),
    validators: set,
    verify: judge,
  }));
}

const honest = (name = 'honest', head = 5) => source(name, (seqno) => signed(seqno), head);
const names = (list: readonly { readonly source: string }[]) => list.map(({ source: name }) => name);

describe('a block of several sources', () => {
  it('is taken of the next one where the signatures of one are no good, whoever lies first', async () => {
    const bad = source('bad', (seqno) => damaged(signed(seqno)));
    const { judged, warnings, agreement } = await verify([bad, honest()]);
    expect([judged?.report.verdict.status, agreement]).toEqual(['final', 'enough']);
    expect(warnings).toContainEqual({
      code: 'signatures-not-final',
      message: 'bad: its list of signatures is not final: rejected',
    });
    expect(bad.seen).toEqual(['block 5']); // what it said is not asked again
  });

  it.each([Number.NaN, 2.5, -1, 2 ** 31])('is not asked for by a head that is no seqno: %d', async (head) => {
    const odd = source('odd', signed, head);
    const { error } = await verify([odd], { wanted: 'latest' }).catch((thrown: unknown) => ({ error: thrown }));
    expect(error).toMatchObject({ code: 'source/malformed', message: expect.stringContaining('a seqno as its head') });
    expect(odd.seen).toEqual(['head']);
    const { judged } = await verify([odd, honest()], { wanted: 'latest' });
    expect(judged?.report.coverage.blockId.seqno).toBe(5);
  });

  describe('whose signatures cover two hashes, so that they may be those of an older block,', () => {
    const replaying = (name: string, head?: number) => source(name, (seqno) => signed(seqno, 9, 'ordinary'), head);
    const verdict = async (sources: readonly BlockSource[], terms: Terms = {}) => {
      const { judged, agreement } = await verify(sources, terms);
      return [judged?.report.verdict, judged?.report.coverage.blockId.seqno, agreement];
    };

    it.each([5, 9])('is taken of the next one, where the liar names block %d as the latest', async (head) => {
      const sources = [replaying('liar', head), honest()];
      const final = [{ status: 'final' }, 5, 'enough'];
      expect(await verdict(sources)).toEqual(final);
      expect(await verdict(sources, { wanted: 'latest' })).toEqual(final);
    });

    it('is reported where no source has signatures that cover the number', async () => {
      const sources = [source('bad', (seqno) => damaged(signed(seqno))), replaying('a', 9), replaying('b')];
      const unbound = { status: 'undecided', reason: 'unbound-id' };
      expect(await verdict(sources)).toEqual([unbound, 5, 'enough']);
      expect(await verdict(sources, { wanted: 'latest' })).toEqual([unbound, 9, 'enough']);
    });
  });

  it('is not taken of one whose set is that of another epoch, though its weight would do', async () => {
    const set = setOf();
    const header = { source: 'claimed', prevKeyBlockSeqno: 3 } as const;
    const proven = Object.freeze({ ...set });
    const judge = (from: string) => (block: SignatureList) =>
      from === 'epoch'
        ? { ...verifyBlock(block, proven), verdict: { status: 'undecided', reason: 'wrong-validator-set' } as const }
        : verifyBlock(block, set, { context: { header } });
    const { judged } = await verifyFrom(
      [honest('epoch'), honest()],
      { wanted: 5, witnesses: 0, nowSeconds: NOW },
      async ({ signatures, source: from }) => ({
        report: judge(from)(signatures),
        validators: set,
        verify: judge('honest'),
        from,
      }),
    );
    expect(judged?.from).toBe('honest');
    expect(judged?.report.verdict.status).toBe('final');
  });

  it('is reported as bad when every source was asked and gave nothing better', async () => {
    const all = ['a', 'b'].map((name) => source(name, (seqno) => damaged(signed(seqno))));
    const { judged, warnings } = await verify([...all, source('c', () => failing('c', 'source/upstream'))]);
    expect(judged?.report.verdict.status).toBe('rejected');
    expect(warnings).toContainEqual({
      code: 'signatures-not-final',
      message: 'b: its list of signatures is not final: rejected',
    });
    expect(JSON.stringify(warnings)).toContain('"message":"c: source/upstream');
  });

  it('is taken of the next one where what one gives is no answer at all', async () => {
    const garbage = { ...honest('garbage'), signatures: async () => ({ signatures: { nonsense: 5 } }) as never };
    const { judged, warnings } = await verify([garbage, honest()]);
    expect(judged?.report.verdict.status).toBe('final');
    expect(JSON.stringify(warnings)).toContain('garbage: signatures that cannot be read');
    expect((await verify([honest(), garbage])).witnesses.silent).toHaveLength(1);
    const alone = await verify([garbage]);
    expect([alone.judged, alone.error?.code]).toEqual([undefined, 'source/malformed']);
  });

  it('has an error where no source gave what can be judged', async () => {
    const { judged, error } = await verify([source('a', () => failing('a', 'source/upstream'))]);
    expect([judged, error?.code]).toEqual([undefined, 'source/upstream']);
  });
});

describe('the other sources', () => {
  it('are all asked for the block of that number, and counted', async () => {
    const others = [
      honest('agrees'),
      source('behind', () => failing('behind', 'source/not-ready')),
      source('silent', () => failing('silent', 'source/upstream')),
      source('contradicts', (seqno) => signed(seqno, 7, 'simplex', strangers)),
      source('refuted', (seqno) => damaged(signed(seqno, 7))),
    ];
    const { witnesses, agreement, warnings } = await verify([honest(), ...others]);
    expect(others.map(({ seen }) => seen)).toEqual(others.map(() => ['block 5']));
    expect(witnesses.agreed).toEqual(['agrees']);
    for (const kind of ['behind', 'silent', 'contradicts', 'refuted'] as const) {
      expect(names(witnesses[kind]), kind).toEqual([kind]);
    }
    expect(agreement).toBe('enough');
    expect(warnings).toContainEqual({
      code: 'contradicted',
      message: 'contradicts named a different block 5, without a proof',
    });
  });

  it('have to agree, as many as are asked for, contradicted or not', async () => {
    const all = [honest(), honest('b'), source('c', (seqno) => signed(seqno, 7, 'simplex', strangers))];
    expect((await verify(all, { witnesses: 1 })).agreement).toBe('enough');
    expect((await verify(all, { witnesses: 2 })).agreement).toBe('too-few-witnesses');
  });

  it('have one deadline, all of them at the same time', async () => {
    const hanging = ['a', 'b', 'c'].map((name) => source(name, () => 'hang'));
    const { witnesses, judged } = await verify([honest(), ...hanging], { deadlineMs: 50 });
    expect(judged?.report.verdict.status).toBe('final');
    expect(names(witnesses.silent)).toEqual(['a', 'b', 'c']);
  });

  it('are not asked where they were found to be of another network', async () => {
    const other = source('other', () => failing('other', 'source/wrong-network'));
    const { witnesses } = await verify([other, honest()]);
    expect([other.seen, names(witnesses.silent)]).toEqual([['block 5'], []]);
  });

  it('that do not have the latest block yet are given time where one has to agree', async () => {
    let asked = 0;
    const late: BlockSource = {
      ...honest('late', 4),
      async signatures(seqno, opts) {
        asked++;
        if (opts?.waitForBlock !== true) throw failing('late', 'source/not-ready');
        return { signatures: signed(seqno), source: 'late' };
      },
    };
    expect((await verify([honest(), late], { wanted: 'latest' })).witnesses.behind).toHaveLength(1);
    expect((await verify([honest(), late], { wanted: 'latest', witnesses: 1 })).agreement).toBe('enough');
    expect(asked).toBe(2);
  });
});

describe('a source that shows another block of this number, signed by the same set', () => {
  const fork = () => source('fork', (seqno) => signed(seqno, 7));

  it.each([[[honest(), fork()]], [[fork(), honest()]]])('ends it as a fork, with evidence', async (sources) => {
    const error = await verify(sources).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ForkError);
    const { evidence, code } = error as ForkError;
    expect(code).toBe('source/disagree');
    const proof = verifyForkEvidence(JSON.parse(JSON.stringify(evidence)));
    expect(proof).toMatchObject({ seqno: 5, signedBothWeight: 4n, totalWeight: 4n });
    expect(new Set(proof.sides.map(({ source: name }) => name))).toEqual(new Set(['honest', 'fork']));
  });

  it('proves no fork by a set past its stakes: the block is in doubt, and evidence is kept', async () => {
    const { agreement, witnesses, warnings } = await verify([honest(), fork()], { set: setOf(NOW - 1_000_000) });
    expect(agreement).toBe('contradicted');
    expect(names(witnesses.forked)).toEqual(['fork']);
    expect(verifyForkEvidence(witnesses.evidence[0]).signedBothWeight).toBe(4n);
    expect(JSON.stringify(warnings)).toContain('"old-keys","message":"fork');
  });

  it('proves none by signatures that leave the number open: they may be those of the block before', async () => {
    const replays = () =>
      source('replays', () => ({ ...signed(4, 7, 'ordinary'), blockId: { ...signed(4, 7).blockId, seqno: 5 } }));
    const open = await verify([honest(), replays()]);
    expect([names(open.witnesses.contradicts), open.agreement]).toEqual([['replays'], 'enough']);
    // Of our own block no one knows either which number it has, so the two words are worth the same.
    const ours = source('ours', (seqno) => signed(seqno, 1, 'ordinary'));
    const policy = { requireBoundId: false };
    const both = await verify([ours, replays()], { policy });
    expect([both.judged?.report.verdict.status, both.agreement, both.rivals]).toEqual(['final', 'contradicted', 1]);
    const bad = source('bad', (seqno) => damaged(signed(seqno, 7, 'ordinary')));
    expect((await verify([ours, bad], { policy })).agreement).toBe('enough');
  });

  it('proves none by a set that servers claim themselves', async () => {
    const claimed = createValidatorSet(
      signers.map(({ publicKey, weight }) => ({ publicKey, weight })),
      { utimeUntil: NOW, provenance: { kind: 'claimed', source: 'fork' } },
    );
    const { witnesses } = await verify([honest(), fork()], { set: claimed, policy: { acceptClaimed: true } });
    expect(names(witnesses.contradicts)).toEqual(['fork']);
  });
});

describe('the latest block', () => {
  it('is the highest that a server names and shows, whoever is asked first', async () => {
    const old = honest('old', 3);
    const { judged } = await verify([old, honest('new', 9)], { wanted: 'latest' });
    expect(judged?.report.coverage.blockId.seqno).toBe(9);
    expect(old.seen).toEqual(['head', 'block 9']); // as a witness only
  });

  it('is asked of those alone that name it, or a later one', async () => {
    const ghost = source('ghost', (seqno) => (seqno > 9 ? failing('ghost', 'source/upstream') : signed(seqno)), 1000);
    const others = [honest('b', 9), honest('c', 8)];
    const { judged, warnings } = await verify([ghost, ...others], { wanted: 'latest' });
    expect(judged?.report.coverage.blockId.seqno).toBe(9);
    expect(others.map(({ seen }) => seen)).toEqual(others.map(() => ['head', 'block 9']));
    expect(JSON.stringify(warnings)).toContain(
      'ghost names block 1000 as the latest, but no server gave its signatures',
    );
  });

  it('has its share of the time where heads are made up', async () => {
    const ghosts = [100, 200, 300].map((head) => source(`ghost ${head}`, () => 'hang', head));
    const { judged, witnesses } = await verify([...ghosts, honest()], { wanted: 'latest', deadlineMs: 1200 });
    expect(judged?.report.verdict.status).toBe('final');
    expect(witnesses.silent).toHaveLength(3);
  });

  it('is found though most servers name no head', async () => {
    const down = source('down', (seqno) => signed(seqno), failing('down', 'source/upstream'));
    const { judged } = await verify([down, honest()], { wanted: 'latest' });
    expect(judged?.report.verdict.status).toBe('final');
    const none = await verify([down, source('b', () => 'hang', failing('b', 'source/upstream'))], {
      wanted: 'latest',
    }).catch((e) => e);
    expect(none).toBeInstanceOf(SourceError);
  });
});

describe('sources of one host', () => {
  const of = (name: string) => honest(`https://${name}`);
  const verified = (list: readonly string[], terms: Terms) => verify(list.map(of), terms);

  it('are one witness, and that of the block is none of itself', async () => {
    const one = ['a.example/1', 'a.example/2', 'A.example:81/3'];
    const few = await verified(one, { witnesses: 1 });
    expect([few.agreement, few.witnesses.agreed.length, few.witnesses.voices]).toEqual(['too-few-witnesses', 2, 0]);
    const two = await verified([...one, 'b.example/'], { witnesses: 1 });
    expect([two.agreement, two.witnesses.agreed.length, two.witnesses.voices]).toEqual(['enough', 3, 1]);
    expect((await verified(['198.51.100.1/', '198.51.100.2/'], { witnesses: 1 })).agreement).toBe('too-few-witnesses');
    expect((await verified(['127.0.0.1:1/', '127.0.0.1:2/'], { witnesses: 1 })).agreement).toBe('enough');
  });

  it('are a witness each where each is to count', async () => {
    const { agreement, witnesses } = await verified(['a.example/1', 'a.example/2'], {
      witnesses: 1,
      countEachServer: true,
    });
    expect([agreement, witnesses.voices]).toEqual(['enough', undefined]);
  });
});
