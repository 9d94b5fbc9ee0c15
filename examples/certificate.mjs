// A certificate made on one machine and verified on another, with nothing between them but the file.
import { buildCertificate, certificateToBoc, parseCertificate, verifyCertificate } from 'ton-finality/facts';

/** On the first machine: it has a checkpoint, and asked a server for the rest. @returns the bytes of the file */
export function make(checkpoint, blockProof, fact) {
  return certificateToBoc(buildCertificate({ checkpoint, proofs: [blockProof], facts: [fact] }));
}

/** On the second: it has the file, and a block that it trusts. @returns the facts @throws unless each is proven from there, and there */
export function check(file, anchor) {
  const { verdict, facts } = verifyCertificate(parseCertificate(file), { anchor });
  if (verdict.status !== 'final') throw new Error(`undecided: ${verdict.reason}`);
  const absent = facts.find((fact) => fact.found === false);
  if (absent !== undefined) throw new Error(`proven absent: ${absent.kind}`);
  return facts;
}
