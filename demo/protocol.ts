/** What the page asks of its worker, and what it is told. Everything here can be sent: plain values and bytes. */
import type { FinalityErrorCode } from '../src/index.ts';
import type { ReportJson } from '../src/report.ts';

/** The parts of the form, by which trouble is shown where it belongs. */
export type Part = 'signatures' | 'validators' | 'checkpoint' | 'proof' | 'header' | 'options' | 'server';

/** What came from a server, by the server's label; nothing for what the user vouches for. */
export interface Origin {
  /** Only it says so. */
  readonly claimedBy?: string;
  /** It was asked for a block by its number, which has to be bound to the answer. */
  readonly askedOf?: string;
}

/** What stands in one part: bytes as they came. */
export interface Given extends Origin {
  /** The file, or what was done to get it. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Files that came along with it and were left. */
  readonly others?: number;
}

/** As the flags of `ton-finality verify` of the same names. */
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
  /** Of the way from the checkpoint to a newer key block. */
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
  /** Milliseconds for all of it. */
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
  /** Of simplex signatures: what the hash in the message is of. */
  readonly candidate?: Uint8Array;
  readonly hasHeader: boolean;
  /** Milliseconds that reading and judging took. */
  readonly took: number;
}

/** Text or bytes for one part of the form. */
export interface Obtained {
  readonly kind: 'obtained';
  readonly given: Given;
  /** What was done, in words. */
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

/** What checks signatures here. */
export interface EngineNews {
  readonly name: string;
  /** Why it is not the fast one. */
  readonly why?: string;
}

export type Tell = (progress: Progress) => void;

export type Reply =
  | { readonly type: 'ready' }
  | { readonly type: 'engine'; readonly engine: EngineNews }
  | { readonly type: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'trouble'; readonly id: number; readonly trouble: Trouble };
