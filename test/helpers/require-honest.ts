/** For inputs that change while they are read: whatever is answered, a block is final only where it was signed. */
import { expect } from 'vitest';
import { FinalityError } from '../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { VerificationReport } from '../../src/core/verify/report.ts';
import { textOf } from './hostile.ts';

/** @param blockId the only block that was signed; a typed error is no verdict */
export function requireHonest(blockId: BlockIdExt, ask: () => VerificationReport): void {
  let report: VerificationReport;
  try {
    report = ask();
  } catch (error) {
    expect(error).toBeInstanceOf(FinalityError);
    return;
  }
  if (report.verdict.status === 'final') expect(textOf(report.coverage.blockId)).toBe(textOf(blockId));
}
