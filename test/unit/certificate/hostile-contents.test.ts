/** What a server gives for a certificate is made one, or refused in words: no answer ends in a raw error. */
import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { buildCertificate } from '../../../src/core/certificate/build.ts';
import type { FactInput } from '../../../src/core/certificate/build-fact.ts';
import { beginCell, bocOf, CoreCell, merkleProof, prunedBranch } from '../../helpers/cells.ts';
import { liveFacts, liveInput } from '../../helpers/certificates.ts';
import { coreCell } from '../../helpers/cut-proofs.ts';
import { rememberingEngine } from '../../helpers/remembering-engine.ts';

/** A chain of cells, each below the one before. */
function deep(depth: number) {
  let cell = beginCell().endCell();
  for (let k = 0; k < depth; k++) cell = beginCell().storeUint(k, 16).storeRef(cell).endCell();
  return cell;
}

const leaf = beginCell().storeUint(1, 8).endCell();
const cutOff = bocOf(beginCell().storeRef(prunedBranch(leaf)).endCell());
const HOSTILE: Readonly<Record<string, unknown>> = {
  'a part of a tree': cutOff,
  'a pruned root': bocOf(prunedBranch(leaf)),
  'a Merkle proof': bocOf(merkleProof(leaf)),
  'a tree as deep as a bag holds': bocOf(deep(1024)),
  'a tree nearly as deep': bocOf(deep(1023)),
  'another cell': bocOf(leaf),
  'no bytes': new Uint8Array(0),
  garbage: new Uint8Array(40).fill(0xb5),
  'a list': [1, 2],
  null: null,
};

const engine = rememberingEngine();

function outcome(facts: readonly FactInput[]): string {
  try {
    buildCertificate({ ...liveInput(facts), engine });
    return 'made';
  } catch (error) {
    return error instanceof FinalityError ? 'refused' : String(error);
  }
}

describe('a certificate of what a hostile server gave', () => {
  const facts = liveFacts();
  const first = (kind: FactInput['kind']) => facts.findIndex((fact) => fact.kind === kind);
  const places = [first('transaction'), first('account'), first('config')].flatMap((k) => {
    const fact = facts[k]!;
    return 'answer' in fact ? Object.keys(fact.answer).map((member) => ({ k, kind: fact.kind, member })) : [];
  });

  // Servers send such an account when they are asked for a pruned one.
  it('is refused in words: a proof of a part of the account', () => {
    const fact = facts[first('account')]!;
    if (fact.kind !== 'account') throw new Error('expected an account');
    const { refs, bits } = coreCell(fact.answer.state as Uint8Array);
    const part = new CoreCell({ bits, refs: refs.map(prunedBranch) });
    const state = bocOf(merkleProof(part));
    const given = { ...fact, answer: { ...fact.answer, state } };
    expect(() => buildCertificate({ ...liveInput([given]), engine })).toThrow(
      expect.objectContaining({ code: 'decode/boc', path: 'state' }),
    );
  });

  it.each(Object.keys(HOSTILE))('is made or refused in words: %s', (name) => {
    for (const { k, kind, member } of places) {
      const fact = facts[k]!;
      const answer = { ...('answer' in fact ? fact.answer : {}), [member]: HOSTILE[name] };
      expect(['made', 'refused'], `${kind} ${k} ${member}`).toContain(outcome([{ ...fact, answer } as FactInput]));
    }
  });
});
