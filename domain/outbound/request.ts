/**
 * The rules of an outbound request, and of its remainder after a redirect (RFC 9110 15.4). A
 * redirect is the other side's wish: nothing that was meant for one origin reaches another.
 */
const OUTSIDE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type OutboundMethod = (typeof OUTSIDE_METHODS)[number];

/** The product token of the hub's User-Agent, and of its group in a robots.txt (RFC 9309 2.2.1). */
export const ROBOT_NAME = 'AgentExchangeHub';

/** Names of headers in lower case with their values. */
export type OutboundHeaders = Readonly<Record<string, string>>;

export interface Carried {
  readonly method: OutboundMethod;
  readonly headers: OutboundHeaders;
  readonly body: Uint8Array | undefined;
  readonly sign: boolean;
}

const SAFE_METHODS: readonly OutboundMethod[] = ['GET', 'HEAD', 'OPTIONS'];
const METHODS_WITH_BODY: readonly OutboundMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
const HEADERS_MAX = 32;
const HEADER_BYTES_MAX = 8_192;
const NAME_GRAMMAR = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE_GRAMMAR = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;
/** Made by the guard itself, or about one connection only (RFC 9110 7.6.1). */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-digest',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'signature',
  'signature-agent',
  'signature-input',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
/** A list of what is harmless, because a key may hide in a header of any name. */
const CARRIED_ACROSS = new Set([
  'a2a-version',
  'accept',
  'accept-language',
  'content-language',
  'content-type',
  'mcp-protocol-version',
]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isSafeMethod(method: OutboundMethod): boolean {
  return SAFE_METHODS.includes(method);
}

/** Returns the reason why a request cannot be sent, as a sentence; undefined when there is none. */
export function requestFault({ method, headers, body }: Carried): string | undefined {
  if (!OUTSIDE_METHODS.includes(method)) return `The hub sends no ${JSON.stringify(method)}.`;
  if (body !== undefined && !METHODS_WITH_BODY.includes(method)) return `${method} has no body.`;
  const all = Object.entries(headers);
  const bytes = all.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (all.length > HEADERS_MAX || bytes > HEADER_BYTES_MAX) {
    return `More than ${HEADERS_MAX} headers, or than ${HEADER_BYTES_MAX} bytes of them.`;
  }
  for (const [name, value] of all) {
    if (!NAME_GRAMMAR.test(name)) return `${JSON.stringify(name)} is no header name in lower case.`;
    if (OWN_HEADERS.has(name)) return `The header ${name} is made by the hub itself.`;
    if (!VALUE_GRAMMAR.test(value)) return `The header ${name} holds more than plain ASCII.`;
  }
  return undefined;
}

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

export function afterRedirect(sent: Carried, status: number, sameOrigin: boolean): Carried {
  const becomesGet =
    (status === 303 && sent.method !== 'GET' && sent.method !== 'HEAD') ||
    (sent.method === 'POST' && (status === 301 || status === 302));
  const method = becomesGet ? 'GET' : sent.method;
  const headers = Object.entries(sent.headers).filter(
    ([name]) =>
      (sameOrigin || CARRIED_ACROSS.has(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? undefined : sent.body,
    // A signature for another origin would vouch to a host that the hub never chose to call.
    sign: sent.sign && sameOrigin,
  };
}

/**
 * The absolute text of a Location header seen from a URL, not judged yet; undefined when it cannot
 * be read. A host that it names stays as it was written, for `judgeTarget` to see.
 */
export function resolveLocation(location: string, from: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(location) || location.includes('\\')) return undefined;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(location)) return location;
  const { protocol, origin } = new URL(from);
  if (location.startsWith('//')) return protocol + location;
  if (!URL.canParse(location, from)) return undefined;
  const url = new URL(location, from);
  return url.origin === origin ? url.href : undefined;
}
