import type { ErrorCode } from '../../generated/errors.ts';

/** The run-time properties of an operation; every value comes from the contract. */
export interface OperationSpec {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** OpenAPI path template. */
  readonly path: string;
  readonly summary: string;
  readonly auth: 'public' | 'signed' | 'optional' | 'api-key';
  /** Place and name of the account whose authority the request claims. */
  readonly owner?: readonly ['body' | 'path' | 'query', string];
  /** Place and name of a key that may sign in place of the owner's, for itself. */
  readonly ownerOr?: readonly ['body' | 'path' | 'query', string];
  /** Takes an idempotencyKey in its body, and its answer says whether it is `repeated`. */
  readonly idempotent?: boolean;
  /**
   * Where a key of its call is kept: in its unit of work, with the answer when it is there, or by
   * its own rule. Absent where it changes nothing in the name of an account.
   */
  readonly once?: 'unit' | 'answer' | 'own';
  /** Rate policy beside the caller's own. */
  readonly limit?: LimitName;
  /** Seconds for which a shared cache may keep the answer; absent where it must ask again. */
  readonly cacheSeconds?: number;
  /** Its body is stored, and nothing is charged for it. */
  readonly stores?: boolean;
  /** A banned account may call it: it ends what the account began, or reads. */
  readonly whileBanned?: boolean;
  /** Refused to a key with a spending policy, always or unless the policy names it. */
  readonly ownerKey?: 'always' | 'unless-named';
  /** The end of a trial, where the answer is sold or only the real call may show it. */
  readonly dryRun?: { readonly stopsBefore: string; readonly hidesEntries?: true };
  /** Its answer may be about a second old, so a replica of the database may give it. */
  readonly mayLag?: boolean;
  /** Its answers go out compressed to who takes them so. */
  readonly compressed?: boolean;
  /** Unknown names of its query are left out and not refused. */
  readonly ignoresUnknown?: boolean;
  /** Long-poll: holds the answer until something happens. */
  readonly waits?: boolean;
  readonly stream?: 'sse' | 'ndjson';
  readonly door?: { readonly mcp?: string; readonly a2a?: string };
  readonly body?: BodySpec;
  readonly parameters: readonly ParameterSpec[];
  /** Media types by success status. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** Codes that it may refuse with, in order of precedence. */
  readonly errors: readonly ErrorCode[];
}

export interface BodySpec {
  readonly required: boolean;
  /** Bytes that are read of it; derived from the schema where the contract does not state them. */
  readonly limitBytes: number;
  /** Members of all its objects and lists together. */
  readonly membersMax: number;
  /** A field whose base64 goes to a file as it arrives (`middleware/upload.ts`). */
  readonly streamed?: string;
  /** Where branded text stands; `*` stands for every item of a list. */
  readonly brands: readonly { readonly at: readonly string[]; readonly brand: BrandName }[];
  /** Numbers that are lowered to a cap. */
  readonly clamps: readonly { readonly name: string; readonly cap: number }[];
  /** It has a member for the idempotency key, which the header then fills. */
  readonly keyed?: boolean;
  /** Fields of which null is a value, and not the sign of an unset one. */
  readonly nullable?: readonly string[];
  /** Refusal codes of inline schemas, by schema path. */
  readonly codes: Readonly<Record<string, ErrorCode>>;
}

export interface ParameterSpec {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly required?: boolean;
  readonly default?: string | number | boolean;
  /** A larger number is lowered to this (choices pipeline.caps: caps clamp). */
  readonly clamp?: number;
  readonly brand?: BrandName;
  readonly code?: ErrorCode;
  /** For a value of the wrong form; `{value}` is the value that was sent, escaped for a URL. */
  readonly hint?: string;
}

export type BrandName = 'Atomic' | 'Account' | 'KeyId' | 'Instant';
export type LimitName =
  | 'money'
  | 'act'
  | 'search'
  | 'verify'
  | 'stamp'
  | 'submit'
  | 'handshake'
  | 'faucet'
  | 'serve'
  | 'worlds';
