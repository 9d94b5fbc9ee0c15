/**
 * Decides whether this program is older than the network, by answers in forms that it does not know. A few servers with
 * such answers may be broken or lying. Pure.
 */
import { SourceError, type SourceStatement, type UnknownKind } from '../../core/base/errors.ts';
import { OUTCOMES, type Outcome, unknownIn } from './outcome.ts';

/** The last answer of one server; no error if it could be read, or if the server was not asked. */
export type LastWord = Pick<SourceStatement, 'error'>;

function outcomeIn({ error }: LastWord): Outcome | 'none' {
  return error instanceof SourceError ? OUTCOMES[error.code] : 'answered';
}

/** Which form in a server's answer is unknown. */
function kindIn({ error }: LastWord): UnknownKind | undefined {
  return unknownIn(error instanceof SourceError ? error.cause : error);
}

/** Whether a server gave no answer whose form could be known. */
function isSilent(said: LastWord): boolean {
  const outcome = outcomeIn(said);
  return outcome === 'none' || outcome === 'busy' || outcome === 'failed';
}

function wholeIdIn(said: LastWord): string | undefined {
  const kind = kindIn(said);
  return kind?.isWhole === true ? kind.got : undefined;
}

/**
 * Returns how many of several servers answer in an unknown form: all, most of those that answered, or fewer. An
 * unreadable answer counts only if another server sends the same.
 */
export function unsupportedBy(servers: readonly LastWord[]): 'few' | 'most' | 'all' {
  const ids = servers.map(wholeIdIn);
  const isNewer = (said: LastWord, at: number) => {
    const id = ids[at];
    if (id !== undefined) return ids.indexOf(id) !== at || ids.lastIndexOf(id) !== at;
    return outcomeIn(said) === 'unsupported' || kindIn(said) !== undefined;
  };
  const newer = servers.filter(isNewer).length;
  const heard = servers.filter((said) => !isSilent(said)).length;
  if (newer * 2 <= heard) return 'few';
  return newer === servers.length ? 'all' : 'most';
}

/**
 * Whether an error says that all servers that were asked answer in an unknown form, so that another try cannot help.
 */
export function isOlderForAll({ code, statements }: SourceError): boolean {
  return code === 'source/unsupported' && (statements.length === 0 || unsupportedBy(statements) === 'all');
}
