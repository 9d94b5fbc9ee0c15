/** The requests of the page to its worker, and the replies. Everything here can be sent: plain values and bytes. */
import type { FinalityErrorCode } from '../src/index.ts';
import type { ReportJson } from '../src/report.ts';

/** The parts of the form, by which trouble is shown where it belongs. */
export type Part = 'signatures' | 'validators' | 'checkpoint' | 'proof' | 'header' | 'options' | 'server';

/** The server that an input came from, by its label; nothing for an input of the user. */
export interface Origin {
  /** Label of the server, if only that server claims the content. */
  readonly claimedBy?: string;
  /** Label of the server, if it was asked for a block by number: that number has to be bound to the answer. */
  readonly askedOf?: string;
}

/** The content of one part: bytes as they came. */
export interface Given extends Origin {
  /** Name of the file, or words for the action that made the content. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Files that came along with it and were left. */
  readonly others?: number;
}

/** The options of the form, with the meaning of the flags of `ton-finality verify`. */
export interface Options {
  readonly strict: boolean;
  readonly requireBoundId: boolean;
  readonly ignoreDefects: boolean;
  readonly acceptClaimed: boolean;
  readonly acceptUnbound: boolean;
  readonly acceptStaleStart: boolean;
  /** Unix seconds; absent where no clock was given. */
  readonly now?: number;
}

export interface JudgeRequest {
  readonly kind: 'judge';
  readonly signatures: Given;
  readonly validators?: Given;
  readonly checkpoint?: Given;
  /** The proof of the way from the checkpoint to a newer key block. */
  readonly proof?: Given;
  readonly header?: Given;
  readonly options: Options;
}

/** The parts of an answer in which a byte can be flipped. */
export type FlipPart = 'signature' | 'session' | 'slot' | 'candidate' | 'root-hash' | 'file-hash';

export interface FlipRequest {
  readonly kind: 'flip';
  readonly signatures: Given;
  readonly part: FlipPart;
  /** Position of the signature. */
  readonly entry: number;
  readonly byte: number;
}

export interface FetchRequest {
  readonly kind: 'fetch';
  readonly what: 'signatures' | 'validators';
  readonly baseUrl: string;
  /** A number, or `latest`. */
  readonly block: string;
}

export interface DownloadRequest {
  readonly kind: 'download';
  readonly url: string;
  readonly maxBytes: number;
  /** Milliseconds for the whole download. */
  readonly deadlineMs: number;
}

export type Request = JudgeRequest | FlipRequest | FetchRequest | DownloadRequest;

/** The `run` member of the command's JSON. */
export interface RunMember {
  readonly tool: 'ton-finality';
  readonly version: string;
  readonly judgedAt: number;
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
}

export interface Judged {
  readonly kind: 'judged';
  readonly report: ReportJson & { readonly run: RunMember };
  /** The bytes that every signer signed. */
  readonly message: Uint8Array;
  /** The candidate of Simplex signatures, whose hash is in the message. */
  readonly candidate?: Uint8Array;
  readonly hasHeader: boolean;
  /** Milliseconds that reading and judging took. */
  readonly took: number;
}

/** Text or bytes for one part of the form. */
export interface Obtained {
  readonly kind: 'obtained';
  readonly given: Given;
  /** Words for the action. */
  readonly words: string;
}

export type Answer = Judged | Obtained;

/** `ton-finality/error@2`, as the command prints it. */
export interface ErrorJson {
  readonly schema: 'ton-finality/error@2';
  readonly code: FinalityErrorCode | 'internal';
  readonly path: string | null;
  readonly message: string;
  readonly hint: string | null;
}

/** Why there is no answer, and where to look. */
export interface Trouble {
  readonly part: Part | undefined;
  readonly error: ErrorJson;
}

export type Outcome = { readonly answer: Answer } | { readonly trouble: Trouble };

/** How far it is. */
export interface Progress {
  readonly words: string;
  readonly done?: number;
  readonly of?: number;
}

/** The engine that checks signatures in this worker. */
export interface EngineNews {
  readonly name: string;
  /** Why the engine is not the fast one. */
  readonly why?: string;
}

export type Tell = (progress: Progress) => void;

export type Reply =
  | { readonly type: 'ready' }
  | { readonly type: 'engine'; readonly engine: EngineNews }
  | { readonly type: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'trouble'; readonly id: number; readonly trouble: Trouble };
