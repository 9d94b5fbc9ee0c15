/**
 * Fetches the validator set that a server claims for a block: parameter 35, else 34, of the key block that the header
 * names. The set is marked as claimed, so nothing verified with it is final unless the caller passes `acceptClaimed`.
 */
import { SourceError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import { parseSingleRoot } from '../../core/cells/boc.ts';
import { CATCHAIN_PARAM, SET_PARAMS } from '../../core/validators/config-params.ts';
import { parseValidatorConfig, readShuffle } from '../../core/validators/from-config.ts';
import { selectMasterchainValidators } from '../../core/validators/select-masterchain.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import { isA } from '../machine/outcome.ts';
import type { RawBlockHeader } from '../toncenter-api/v2-answers.ts';

/** Fetches the BoC of a parameter as of a masterchain block. @throws SourceError */
export type AskConfigParam = (param: number, seqno: number) => Promise<Uint8Array>;

async function askIfThere(ask: AskConfigParam, param: number, seqno: number): Promise<Uint8Array | undefined> {
  try {
    return await ask(param, seqno);
  } catch (error) {
    if (error instanceof SourceError && isA(error.code, 'perhaps-absent')) return undefined;
    throw error;
  }
}

/**
 * Fetches the validator set that a server claims for a block. Source for the order of the parameters: ton
 * `crypto/block/mc-config.cpp`, Config::unpack.
 * @param said the name of the server, shown in every report
 * @throws SourceError; DecodeError and ValidatorSetError for parameters that cannot be read
 */
export async function claimedValidatorSet(
  header: RawBlockHeader,
  said: string,
  ask: AskConfigParam,
): Promise<ValidatorSet> {
  const { id, prevKeyBlockSeqno: keyBlock } = header;
  if (keyBlock === 0) {
    throw new SourceError('source/bad-request', `block ${id.seqno} was signed by the set of the zerostate`, {
      hint: 'pass it with --validators: servers lack the set of the zerostate',
    });
  }
  const [temporary, current] = SET_PARAMS.current;
  const validators = (await askIfThere(ask, temporary, keyBlock)) ?? (await ask(current, keyBlock));
  const catchain = await askIfThere(ask, CATCHAIN_PARAM, keyBlock);
  const shuffle = catchain && readShuffle(parseSingleRoot(catchain, 'param 28'), 'param 28');
  return selectMasterchainValidators(parseValidatorConfig(validators), {
    provenance: { kind: 'claimed', source: said },
    ...present({ shuffle }),
  });
}
