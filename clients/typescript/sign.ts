import type * as noble from '@noble/ed25519';
import { base58 } from '@scure/base';
import {
  base64,
  contentDigest,
  requiredComponents,
  SIGNATURE_LABEL,
  signatureBase,
  signatureParams,
} from '../../domain/httpsig/base.ts';
import type { Message } from '../../domain/httpsig/base.ts';

/**
 * Signs requests (RFC 9421, Authentication 3 to 8) as fetch sends them: method, path, query, exact
 * body bytes, and the host, so one is useless at another hub. Needs only WebCrypto and fetch.
 */
export interface Signer {
  /** Base58 of the 32-byte public key; the account is `key:` and this. */
  readonly keyId: string;
  /** The 64-byte ed25519 signature of a message. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** A secret key, or a function that signs with a key elsewhere (a wallet, an HSM, an agent). */
export type SignerOptions =
  | { readonly keyId: string; readonly secretKey: Uint8Array }
  | {
      readonly keyId: string;
      readonly sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;
    };

export interface GeneratedKey {
  /** The 32-byte ed25519 seed. It controls the account; the hub never sees it. */
  readonly secretKey: Uint8Array;
  readonly keyId: string;
  readonly account: string;
}

const NONCE_BYTES = 16;

/** Loaded at its first use: a page whose key is WebCrypto's needs no curve of its own. */
let curve: Promise<typeof noble> | undefined;
const loadCurve = () => (curve ??= import('@noble/ed25519'));

export function signer(options: SignerOptions): Signer {
  const { keyId } = options;
  if ('secretKey' in options) {
    const { secretKey } = options;
    return { keyId, sign: async (message) => (await loadCurve()).signAsync(message, secretKey) };
  }
  return { keyId, sign: async (message) => options.sign(message) };
}

/** A new account: no signup, the first signed request binds the key (Authentication 1). */
export async function generateKey(): Promise<GeneratedKey> {
  const { utils } = await loadCurve();
  const secretKey = utils.randomSecretKey();
  const keyId = await keyIdOfSecret(secretKey);
  return { secretKey, keyId, account: `key:${keyId}` };
}

export async function keyIdOfSecret(secretKey: Uint8Array): Promise<string> {
  const { getPublicKeyAsync } = await loadCurve();
  return base58.encode(await getPublicKeyAsync(secretKey));
}

/** Returns a signed copy of the request, which stays unread. Its nonce is for one attempt. */
export async function signRequest(
  request: Request,
  { keyId, sign }: Signer,
  nowMs: number = Date.now(),
): Promise<Request> {
  const body = new Uint8Array(await request.clone().arrayBuffer());
  const headers = new Headers(request.headers);
  if (body.length > 0) headers.set('content-digest', contentDigest(await sha256(body)));
  const message = messageOf(request, headers, body.length > 0);
  const covered = coverage(message);
  const createdSeconds = Math.floor(nowMs / 1000);
  const params = signatureParams(covered, { createdSeconds, keyId, nonce: nonce() });
  const base = signatureBase(message, covered, params);
  if (!base.ok) throw new TypeError(`the header ${base.missing} holds more than plain ASCII`);
  const signature = await sign(new TextEncoder().encode(base.text));
  headers.set('signature-input', `${SIGNATURE_LABEL}=${params}`);
  headers.set('signature', `${SIGNATURE_LABEL}=:${base64(signature)}:`);
  if (body.length > 0) return new Request(request, { headers, body });
  // Built from a copy, because an empty body too would be taken over from the request.
  return new Request(request.clone(), { headers });
}

/** Returns a `fetch` that signs each request, for clients that take one, such as those of MCP. */
export function signedFetch(options: SignerOptions): typeof fetch {
  const signing = signer(options);
  return async (input, init) => fetch(await signRequest(new Request(input, init), signing));
}

/** The minimum, and the host beside the method: staging and production share their paths. */
function coverage(message: Message): readonly string[] {
  const [method, ...others] = requiredComponents(message);
  return [method ?? '@method', '@authority', ...others];
}

function messageOf(request: Request, headers: Headers, hasBody: boolean): Message {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: url.pathname + url.search,
    path: url.pathname,
    query: url.search === '' ? undefined : url.search.slice(1),
    scheme: url.protocol.slice(0, -1),
    authority: url.host,
    hasBody,
    field: (name) => headers.get(name) ?? undefined,
  };
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
