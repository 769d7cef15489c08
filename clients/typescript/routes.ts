import type { paths } from '../../generated/types.ts';
import type { RefusalBody } from './refusal.ts';

/**
 * The calls of the contract as types: a misspelt path, parameter or body field does not compile.
 * openapi-fetch sends them, but infers its options from what it is given and so lets an unknown
 * field through; in a request that moves money a typing error must not wait for the hub to find it.
 */
type Method = 'get' | 'post';

export type PathsOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];

export type ParseAs = 'json' | 'text' | 'arrayBuffer' | 'blob' | 'stream';

type Params<Operation> = Operation extends { parameters: infer Given }
  ? object extends Given
    ? { readonly params?: Given }
    : { readonly params: Given }
  : object;

type Body<Operation> = Operation extends { requestBody: { content: JsonOf<infer Given> } }
  ? { readonly body: WithKeyOptional<Given> }
  : Operation extends { requestBody?: { content: JsonOf<infer Given> } }
    ? { readonly body?: WithKeyOptional<Given> }
    : object;

interface JsonOf<Json> {
  'application/json': Json;
}

/** The client makes an idempotencyKey where the caller gives none, so none is demanded. */
type WithKeyOptional<Given> = Given extends { idempotencyKey: string }
  ? Omit<Given, 'idempotencyKey'> & { idempotencyKey?: string }
  : Given;

interface SendOptions<As extends ParseAs> {
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives the call up; a once-only call may still have happened, and its key stays kept. */
  readonly signal?: AbortSignal;
  /** How to read the answer, `json` when absent; `stream` leaves it to `sseEvents` or `ndjson`. */
  readonly parseAs?: As;
}

type Init<Operation, As extends ParseAs> = Params<Operation> & Body<Operation> & SendOptions<As>;

export type InitOf<Path extends PathsOf<'get'>> = Partial<Init<paths[Path]['get'], 'json'>>;

/** Optional where the call needs neither parameters nor a body. */
type InitArgument<Given> = object extends Given ? [init?: Given] : [init: Given];

export type Success<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & (200 | 202)]: Responses[Status] extends {
        content: JsonOf<infer Json>;
      }
        ? Json
        : never;
    }[keyof Responses & (200 | 202)]
  : never;

interface Parsed<Json> {
  json: Json;
  text: string;
  arrayBuffer: ArrayBuffer;
  blob: Blob;
  stream: Response['body'];
}

/** The answer of a call: `data`, or the hub's refusal as `error`, which `unwrap` throws. */
export type Reply<Data> =
  | { readonly data: Data; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: RefusalBody; readonly response: Response };

export interface Routes {
  GET<Path extends PathsOf<'get'>, As extends ParseAs = 'json'>(
    path: Path,
    ...init: InitArgument<Init<paths[Path]['get'], As>>
  ): Promise<Reply<Parsed<Success<paths[Path]['get']>>[As]>>;
  POST<Path extends PathsOf<'post'>, As extends ParseAs = 'json'>(
    path: Path,
    ...init: InitArgument<Init<paths[Path]['post'], As>>
  ): Promise<Reply<Parsed<Success<paths[Path]['post']>>[As]>>;
  /** Looks at, or replaces, each request before it is signed and each answer after the retries. */
  use(...middleware: readonly Middleware[]): void;
}

type Later<Value> = Value | undefined | Promise<Value | undefined>;

export interface Middleware {
  readonly onRequest?: (call: {
    readonly request: Request;
    readonly schemaPath: string;
  }) => Later<Request>;
  readonly onResponse?: (call: {
    readonly request: Request;
    readonly schemaPath: string;
    readonly response: Response;
  }) => Later<Response>;
}
