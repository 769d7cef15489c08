import { isDryRun } from '../dryRun.ts';

/**
 * The parts that signer and verifier must agree on (RFC 9421 2, Authentication 3 to 8): covered
 * list, parameters and base, from raw bytes, never decoded or normalised. Browsers run this too.
 */
export const SIGNATURE_LABEL = 'sig1';
export const SIGNATURE_ALGORITHM = 'ed25519';

/** Headers that move money: a signature that leaves one out would let an attacker swap it. */
export const PAYMENT_HEADERS = ['x-payment', 'payment-signature'] as const;

/** Without it an interceptor could swap the key, and a lost call would count twice. */
export const KEY_HEADER = 'idempotency-key';

const LINE_GRAMMAR = /^[\t\x20-\x7e]*$/;

export interface Target {
  readonly path: string;
  /** The raw text after the first `?`; undefined when there is no `?`. */
  readonly query: string | undefined;
}

export interface Message extends Target {
  readonly method: string;
  /** The second word of the request line, untouched. */
  readonly target: string;
  readonly scheme: string;
  /** host[:port] in lower case without the default port; undefined when no Host was sent. */
  readonly authority: string | undefined;
  readonly hasBody: boolean;
  /** The combined value of a header by lower-case name; undefined when it was not sent. */
  readonly field: (name: string) => string | undefined;
}

export interface SignatureParameters {
  /** Unix time in whole seconds. */
  readonly createdSeconds: number;
  readonly keyId: string;
  readonly nonce: string;
}

const DERIVED: Readonly<Record<string, (message: Message) => string | undefined>> = {
  '@method': ({ method }) => method,
  '@path': ({ path }) => path,
  '@query': ({ query }) => `?${query ?? ''}`,
  '@authority': ({ authority }) => authority,
  '@scheme': ({ scheme }) => scheme,
  '@request-target': ({ target }) => target,
  '@target-uri': ({ scheme, authority, target }) =>
    authority === undefined ? undefined : `${scheme}://${authority}${target}`,
};

/** Whether the hub can compute this component; parameters such as `;req` are not supported. */
export function isKnownComponent(name: string): boolean {
  return name.startsWith('@')
    ? Object.hasOwn(DERIVED, name)
    : /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name);
}

/** The value on the component's line; undefined when the message has none (RFC 9421 2.5: fail). */
function componentValue(message: Message, name: string): string | undefined {
  return name.startsWith('@') ? DERIVED[name]?.(message) : message.field(name);
}

/** The minimum of Authentication 3 for this message, in the order in which gaps are named. */
export function requiredComponents(message: Message): readonly string[] {
  const required = ['@method', '@path'];
  // `/p?` has no query string; a covered `@query` with the value `?` is right for it as well.
  if (message.query !== undefined && message.query !== '') required.push('@query');
  if (message.hasBody) required.push('content-digest');
  for (const name of PAYMENT_HEADERS) {
    if (message.field(name) !== undefined) required.push(name);
  }
  if (message.field(KEY_HEADER) !== undefined) required.push(KEY_HEADER);
  // A trial spends no nonce: without this line an observer could send it as the real call.
  if (isDryRun(message.field('prefer'))) required.push('prefer');
  return required;
}

/** Components that `@target-uri` includes: it is the whole address as it was sent. */
const IN_TARGET_URI: readonly string[] = ['@path', '@query'];

/** The components that the minimum asks for and this list does not cover. */
export function coverageGaps(message: Message, covered: readonly string[]): readonly string[] {
  const isCovered = (name: string): boolean =>
    covered.includes(name) || (IN_TARGET_URI.includes(name) && covered.includes('@target-uri'));
  return requiredComponents(message).filter((name) => !isCovered(name));
}

/** The member text of Signature-Input, which is also the value of `@signature-params`. */
export function signatureParams(
  covered: readonly string[],
  parameters: SignatureParameters,
): string {
  const list = covered.map((name) => `"${name}"`).join(' ');
  const { createdSeconds, keyId, nonce } = parameters;
  const given = `created=${createdSeconds};keyid="${keyId}"`;
  return `(${list});${given};alg="${SIGNATURE_ALGORITHM}";nonce="${nonce}"`;
}

export type SignatureBase =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly missing: string };

/**
 * The signed bytes. `missing` names a covered component without a value that fits on its line:
 * absent, outside ASCII, or with a line break (RFC 9421 2.5).
 */
export function signatureBase(
  message: Message,
  covered: readonly string[],
  params: string,
): SignatureBase {
  let text = '';
  for (const name of covered) {
    const value = componentValue(message, name);
    if (value === undefined || !LINE_GRAMMAR.test(value)) return { ok: false, missing: name };
    text += `"${name}": ${value}\n`;
  }
  return { ok: true, text: `${text}"@signature-params": ${params}` };
}

/** The Content-Digest header for a body with this SHA-256 (RFC 9530, Authentication 6). */
export function contentDigest(sha256: Uint8Array): string {
  return `sha-256=:${base64(sha256)}:`;
}

/**
 * Splits a raw request target at its first `?`. Undefined for absolute form, a leading `//`, a
 * fragment and anything but visible ASCII: two readers would not agree on the path of those.
 */
export function splitTarget(target: string): Target | undefined {
  if (!/^\/(?!\/)[\x21\x22\x24-\x7e]*$/.test(target)) return undefined;
  const mark = target.indexOf('?');
  if (mark === -1) return { path: target, query: undefined };
  return { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
