import type { Account, KeyId } from '../../domain/account.ts';
import type { RawRequest } from '../../domain/httpsig/message.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Instant } from '../../domain/instant.ts';
import type {
  OperationId,
  SignedOperation,
  OptionalOperation,
  ApiKeyOperation,
  QueryDefaults,
} from '../../generated/operations.ts';
import type { operations } from '../../generated/types.ts';
import type { Admission } from './admission.ts';
import type { Answered } from './answered.ts';

/** A caller that proved an account; `keyId` signed, `account` is what that key is bound to. */
export interface Signer {
  readonly kind: 'signer';
  readonly account: Account;
  readonly keyId: KeyId;
  readonly ip: string;
  /** For an operation whose unit of work takes the nonce. */
  readonly admission?: Admission | undefined;
  /** Digest of the call, by which the owner of the key approves it. */
  readonly digest: () => string;
}

/** A caller that proved nothing. */
export interface Visitor {
  readonly kind: 'visitor';
  readonly ip: string;
}

/** A caller without a key whose payment settled: the account of the wallet that paid acts. */
interface Wallet {
  readonly kind: 'wallet';
  readonly account: Account;
  readonly ip: string;
}

/** A holder of an API key, good for the chat-compatible door alone. */
export interface KeyHolder {
  readonly kind: 'key-holder';
  readonly account: Account;
  /** First characters of its key. */
  readonly hint: string;
  /** The key under whose policy it spends. */
  readonly mintedBy?: KeyId;
  readonly apiKeyId: string;
  readonly ip: string;
}

export type Caller = Signer | Visitor | Wallet | KeyHolder;
type CallerOf<Op extends OperationId> = Op extends SignedOperation
  ? Signer
  : Op extends OptionalOperation
    ? Signer | Visitor
    : Op extends ApiKeyOperation
      ? KeyHolder
      : Visitor;
export interface Call<Op extends OperationId> {
  readonly operation: Op;
  readonly path: Inputs<Op, 'path'>;
  readonly query: Inputs<Op, 'query'> & Filled<Op>;
  readonly header: Inputs<Op, 'header'>;
  readonly body: Body<Op>;
  readonly caller: CallerOf<Op>;
  readonly request: RequestFacts;
  /** The key of the header, where the body has no member for it. */
  readonly idempotencyKey?: string | undefined;
}

/** A call with its acting caller: its signer, or the wallet that paid for it. */
export type ActingCall<Op extends OperationId> = Omit<Call<Op>, 'caller'> & {
  readonly caller: Caller;
};

/** Facts of the carrying request that a few operations answer with or depend on. */
export interface RequestFacts {
  readonly id: string;
  /** Raised when the caller went away; long polls and streams stop for it. */
  readonly gone: AbortSignal;
  /** The JSON body as it was sent, before its text was parsed into branded types. */
  readonly wireBody?: unknown;
  /** The file that a streamed field of the body held (`middleware/upload.ts`). */
  readonly upload?: Upload | undefined;
  /** Bytes of a file that the door takes or hands out; absent where files are streamed. */
  readonly fileBytesMax?: number | undefined;
  /** The request as it arrived; only the signature debugger reads it. */
  readonly raw?: RawRequest;
}

/** A file that came with the request; it is gone when the request ends, unless it was moved. */
export interface Upload {
  readonly path: string;
  /** Digest of its bytes, in hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** False when the text was not base64; the file then holds a part of it. */
  readonly isBase64: boolean;
  discard(): Promise<void>;
}

/** Wire text with a flavour becomes the branded type that the edge parsed it into. */
interface BrandTypes {
  readonly Atomic: Atomic;
  readonly Account: Account;
  readonly KeyId: KeyId;
  readonly Instant: Instant;
}

type Branded<T> = T extends string
  ? '__wire' extends keyof T
    ? T extends { readonly __wire?: infer Name }
      ? BrandTypes[Extract<Name, keyof BrandTypes>]
      : never
    : T
  : T extends readonly (infer Item)[]
    ? readonly Branded<Item>[]
    : T extends object
      ? {
          readonly [Key in keyof T]: Branded<T[Key]>;
        }
      : T;
type ParametersOf<Op extends OperationId> = operations[Op]['parameters'];
type Inputs<Op extends OperationId, Place extends 'path' | 'query' | 'header'> =
  Required<ParametersOf<Op>> extends {
    readonly [P in Place]: infer Values;
  }
    ? [Values] extends [never]
      ? Readonly<Record<never, never>>
      : Branded<NonNullable<Values>>
    : Readonly<Record<never, never>>;
type Filled<Op extends OperationId> = Op extends keyof QueryDefaults
  ? {
      readonly [Name in QueryDefaults[Op] & string]: Name extends keyof Inputs<Op, 'query'>
        ? NonNullable<Inputs<Op, 'query'>[Name]>
        : never;
    }
  : unknown;
export type Body<Op extends OperationId> = operations[Op] extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer B } };
}
  ? Branded<B>
  : operations[Op] extends {
        readonly requestBody?: { readonly content: { readonly 'application/json': infer B } };
      }
    ? Branded<B> | undefined
    : undefined;
type Success<Op extends OperationId> = Extract<keyof operations[Op]['responses'], 200 | 202>;
type Contents<Op extends OperationId, S> = S extends keyof operations[Op]['responses']
  ? operations[Op]['responses'][S] extends { readonly content: infer Content }
    ? Content
    : never
  : never;
/** The bytes of a JSON body and their entity tag, stored by the door that made them first. */
export interface Encoded {
  bytes?: Buffer;
  tag?: string;
  /** The same bytes in the codings that clients have asked for. */
  compressed?: Map<Coding, Promise<Buffer>>;
}

/** Content codings that answers go out in (RFC 9110 8.4.1). */
export type Coding = 'br' | 'gzip';

export interface StreamedField {
  readonly field: string;
  readonly source: AsyncIterable<Uint8Array>;
}

/** One reply for each pair of status and media type; streams are what they yield. */
type ReplyWith<Op extends OperationId, S, Content = Contents<Op, S>> = {
  [Type in keyof Content & string]: {
    readonly status: S;
    readonly headers?: Readonly<Record<string, string>>;
    /** For a reply that is given again, to whomever asks (`responseCache.ts`). */
    readonly encoded?: Encoded;
    /** A text field of a JSON body whose value follows as base64 of these bytes. */
    readonly streamed?: StreamedField;
  } & (Type extends 'application/json'
    ? { readonly type?: 'application/json'; readonly body: Answered<Content[Type]> }
    : Type extends 'text/event-stream' | 'application/x-ndjson'
      ? { readonly type: Type; readonly body: AsyncIterable<Answered<StreamItem<Content[Type]>>> }
      : {
          readonly type: Type;
          readonly body: string | Uint8Array;
          /** The same body, compressed when it was built. */
          readonly brotli?: Uint8Array;
        });
}[keyof Content & string];
type StreamItem<T> = T extends readonly (infer Item)[] ? Item : T;
export type Reply<Op extends OperationId> = {
  [S in Success<Op>]: ReplyWith<Op, S>;
}[Success<Op>];
/** The body of a JSON answer as it goes out; `hub.once` keeps the first one. */
export type JsonAnswer<Op extends OperationId> = {
  [S in Success<Op>]: Contents<Op, S> extends { readonly 'application/json': infer Body }
    ? Body
    : never;
}[Success<Op>];
