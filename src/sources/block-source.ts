/** What a source of blocks is, and the options of a question to one. Types only. */

/** Options of one question. */
export interface AskOptions {
  /** Stops the question, its waiting and its open connection at once; the error is then `source/aborted`. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the question with all its attempts; default that of the source. */
  readonly deadlineMs?: number;
  /** Default false; true asks again in steps of a second or so, until the deadline, while the block is not ready. */
  readonly waitForBlock?: boolean;
}

/** Anything that can hand over raw answers. `unknown` on purpose: only decode gives types. */
export interface BlockSource {
  /** Shown in errors: a label without keys. */
  readonly name: string;
  /** Seqno of the newest masterchain block the source knows. @throws SourceError */
  latestSeqno(opts?: AskOptions): Promise<number>;
  /**
   * The v2 getMasterchainBlockSignatures answer, for `parseSignatureSet`. That it names the masterchain block asked for
   * has been looked at, and for simplex that its candidate does; whether its signatures are any good has not. @throws SourceError
   */
  signatures(seqno: number, opts?: AskOptions): Promise<unknown>;
  /**
   * Where several servers are asked: every answer that names the agreed block. Their lists may differ, so a verifier may
   * try the next when one is not final. @throws SourceError
   */
  agreedSignatures?(seqno: number, opts?: AskOptions): Promise<readonly unknown[]>;
}
