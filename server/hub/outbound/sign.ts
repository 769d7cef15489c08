import { sha256 } from '../../../domain/digest.ts';
import {
  contentDigest,
  requiredComponents,
  SIGNATURE_LABEL,
  signatureBase,
  signatureParams,
  type Message,
} from '../../../domain/httpsig/base.ts';
import type { OutboundHeaders } from '../../../domain/outbound/request.ts';
import type { Target } from '../../../domain/outbound/target.ts';
import type { HubKey } from '../keys/ed25519.ts';

/** Names money held for the call: unsigned, a reader of the request could name other money. */
const CREDIT_HEADER = 'hub-credit';

export interface Signing {
  readonly key: HubKey;
  readonly createdSeconds: number;
  readonly nonce: string;
  /** The hub's own address: its keys are at `/keys` and `/.well-known/jwks.json` there. */
  readonly baseUrl: string;
}

export interface Unsigned {
  readonly target: Target;
  readonly method: string;
  /** Lower-case names; all that will be sent. */
  readonly headers: OutboundHeaders;
  readonly body: Uint8Array | undefined;
}

/**
 * The headers that sign a request as the hub requires it (Authentication 3 to 8). They cover the
 * host, so it is useless elsewhere, Signature-Agent (Web Bot Auth), and money held for the call.
 */
export function signatureHeaders(
  { target, method, headers, body }: Unsigned,
  { key, createdSeconds, nonce, baseUrl }: Signing,
): OutboundHeaders {
  const hasBody = body !== undefined && body.length > 0;
  const added: Record<string, string> = {
    'signature-agent': `${SIGNATURE_LABEL}="${new URL(baseUrl).origin}"`,
    ...(hasBody && { 'content-digest': contentDigest(sha256(body)) }),
  };
  const message: Message = {
    method,
    target: target.pathAndQuery,
    path: target.path,
    query: target.query,
    scheme: target.scheme,
    authority: target.authority,
    hasBody,
    field: (name) => added[name] ?? headers[name],
  };
  const [first = '@method', ...others] = requiredComponents(message);
  const covered = [first, '@authority', ...others, 'signature-agent'];
  if (headers[CREDIT_HEADER] !== undefined) covered.push(CREDIT_HEADER);
  const params = signatureParams(covered, { createdSeconds, keyId: key.keyId, nonce });
  const base = signatureBase(message, covered, params);
  if (!base.ok) throw new Error(`the request has no ${base.missing} to sign`);
  const signature = Buffer.from(key.sign(Buffer.from(base.text))).toString('base64');
  return {
    ...added,
    'signature-input': `${SIGNATURE_LABEL}=${params}`,
    signature: `${SIGNATURE_LABEL}=:${signature}:`,
  };
}
