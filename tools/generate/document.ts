import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The parts of an OpenAPI document that the generator reads; everything else passes through. */
export interface Schema {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly 'x-brand'?: string;
  readonly 'x-code'?: string;
  readonly 'x-hint'?: string;
  readonly 'x-clamp'?: number;
}
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}
export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}
export interface Response {
  description: string;
  content?: Readonly<Record<string, Media>>;
  headers?: Record<string, unknown>;
  links?: unknown;
}
export type Auth = 'public' | 'signed' | 'optional' | 'api-key';
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  responses: Record<string, Response | { readonly $ref: string }>;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-auth': Auth;
  /** The form of its refusals, where an API key opens it and the form is not that of chat. */
  readonly 'x-form'?: 'messages' | 'google';
  readonly 'x-owner'?: string;
  /** A key that may sign in place of the owner's, for itself. */
  readonly 'x-owner-or'?: string;
  readonly 'x-idempotency'?: string;
  /**
   * How a key of the header is kept where no unit of work does it: with the answer, when it is
   * there, or by the operation itself; `none` of a poll, which takes no key.
   */
  readonly 'x-once'?: 'answer' | 'own' | 'none';
  'x-errors'?: readonly string[];
  readonly 'x-limit'?: string;
  /** Seconds for which a shared cache may keep the answer. */
  readonly 'x-cache'?: number;
  readonly 'x-stores'?: 'free';
  readonly 'x-may-lag'?: true;
  /** Its pages go out compressed to who takes them so. */
  readonly 'x-compressed'?: true;
  /** Unknown names of its query are left out, as the standard does that it follows. */
  readonly 'x-unknown-query'?: 'ignored';
  /** A banned account may call it: it ends what the account began. */
  readonly 'x-while-banned'?: true;
  /** The end of a trial, where the answer is sold or only the real call may show it. */
  readonly 'x-dry-run'?: { readonly stopsBefore: string; readonly hidesEntries?: true };
  /** Refused to a key with a spending policy, always or unless the policy names it. */
  readonly 'x-owner-key'?: 'always' | 'unless-named';
  readonly 'x-wait'?: string;
  readonly 'x-stream'?: 'sse' | 'ndjson';
  readonly 'x-charge'?: {
    readonly reason: string;
    readonly paidBy: string;
    readonly parts: Readonly<
      Record<string, { readonly what: string; readonly amount?: string; readonly unit: string }>
    >;
  };
  /** The list of the answer that `text/csv` and `application/x-ndjson` are made of. */
  readonly 'x-export'?: string;
  readonly 'x-body-limit'?: number;
  /** A field of the body whose base64 is decoded as it arrives. */
  readonly 'x-body-stream'?: string;
  readonly 'x-door'?: {
    readonly mcp?: string;
    readonly a2a?: string;
    /** The tool of another operation that this one is called by as well. */
    readonly through?: string;
    /** `tools/list` names it only where a toolset is asked for. */
    readonly extended?: boolean;
    /** Takes something away for good; the tool's annotations warn of it. */
    readonly irreversible?: boolean;
    /** Reaches hosts that are not the hub. */
    readonly outside?: boolean;
  };
}
type PathItem = Record<string, Operation>;
export interface Document {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, PathItem>;
  readonly components: {
    schemas: Record<string, Schema>;
    readonly parameters?: Record<string, Parameter>;
    responses?: Record<string, Response>;
    headers?: Record<string, unknown>;
    readonly [key: string]: unknown;
  };
}

export interface ErrorCodeEntry {
  readonly code: string;
  readonly status: number;
  readonly family: string;
  readonly applies:
    'every' | 'signed' | 'body' | 'owner' | 'spending' | 'once' | 'under-way' | 'specific';
  readonly retry?: 'wait' | 'same' | 'later';
  readonly says: string;
  readonly cause: string;
  readonly hint: string;
  readonly readHint?: string;
  readonly example: { readonly call: string; readonly error: string };
}

export function readErrorCodes(): readonly ErrorCodeEntry[] {
  return parse(readFileSync('spec/common/error-codes.yaml', 'utf8')) as ErrorCodeEntry[];
}

/** An operation where the document has it. */
export interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function eachOperation(document: Document): readonly Placed[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Follows `#/components/...` references until the thing itself. */
export function resolve<T extends object>(
  document: Document,
  value: T | { readonly $ref: string },
): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [, , kind, name] = value.$ref.split('/');
  const group = document.components[kind ?? ''] as Record<string, T> | undefined;
  const target = group?.[name ?? ''];
  if (target === undefined) throw new Error(`dangling reference ${value.$ref}`);
  return resolve(document, target);
}

export function parametersOf(document: Document, operation: Operation): readonly Parameter[] {
  return (operation.parameters ?? []).map((each) => resolve<Parameter>(document, each));
}

export function jsonBody(document: Document, operation: Operation): Schema | undefined {
  const schema = operation.requestBody?.content['application/json']?.schema;
  return schema === undefined ? undefined : resolve<Schema>(document, schema);
}

/** Whether it changes something in the name of an account, so that a key of a call can be kept. */
export function takesKey(method: string, operation: Operation): boolean {
  const { 'x-auth': auth, 'x-once': how } = operation;
  return method === 'post' && how !== 'none' && (auth === 'signed' || auth === 'optional');
}
