/** R4: who agrees decides; a contradiction without proof is a claim. */
import { describe, expect, it } from 'vitest';
import { agreementOf, type Said, type Terms } from '../../../src/net/machine/agreement.ts';

const of = (said: Partial<Said>, terms: Partial<Terms>) =>
  agreementOf(
    { agreed: 0, contradicts: 0, forked: 0, ...said },
    { startIsStale: false, acceptStaleStart: false, witnesses: 0, ...terms },
  );

describe('where the set in office proves the block', () => {
  it('no other server is needed, whatever others say without proof', () => {
    expect(of({}, {})).toBe('enough');
    expect(of({ contradicts: 5, forked: 1 }, {})).toBe('enough');
  });

  it('as many servers have to agree as the caller wants, contradicted or not', () => {
    expect(of({ agreed: 2 }, { witnesses: 3 })).toBe('too-few-witnesses');
    expect(of({ agreed: 3, contradicts: 4 }, { witnesses: 3 })).toBe('enough');
  });
});

it('where another block is signed as well, and no one has a proof which the number is of, nothing is enough', () => {
  expect(of({ agreed: 9, rivals: 1 }, {})).toBe('contradicted');
  expect(of({ agreed: 9, rivals: 0 }, {})).toBe('enough');
});

describe('where the set is past its stakes', () => {
  const old = { startIsStale: true };

  it('two other servers have to agree', () => {
    expect(of({ agreed: 1 }, old)).toBe('stale-set');
    expect(of({ agreed: 2 }, old)).toBe('enough');
  });

  it('one server that names another block is enough to leave it undecided', () => {
    expect(of({ agreed: 9, contradicts: 1 }, old)).toBe('contradicted');
    expect(of({ agreed: 9, forked: 1 }, old)).toBe('contradicted');
  });

  it('a caller who accepts it needs no server, but never accepts two proven histories', () => {
    const accepted = { ...old, acceptStaleStart: true };
    expect(of({}, accepted)).toBe('enough');
    expect(of({ contradicts: 1 }, accepted)).toBe('enough');
    expect(of({ forked: 1, agreed: 9 }, accepted)).toBe('contradicted');
  });

  it('as many servers have to agree as the caller wants, accepted or not', () => {
    expect(of({ agreed: 2 }, { ...old, witnesses: 3 })).toBe('too-few-witnesses');
    expect(of({ agreed: 2 }, { ...old, acceptStaleStart: true, witnesses: 3 })).toBe('too-few-witnesses');
  });
});
