import { sha256 } from '../../../domain/digest.ts';
import {
  contentDigest,
  requiredComponents,
  SIGNATURE_LABEL,
  signatureBase,
  signatureParams,
  SIGNATURE_ALGORITHM,
  type Message,
} from '../../../domain/httpsig/base.ts';
import { jwkOfKey, jwkThumbprint } from '../../../domain/jwk.ts';
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

/** The signature of Web Bot Auth is a second one: its keyid is another name of the same key. */
const BOT_LABEL = 'sig2';
const BOT_TAG = 'web-bot-auth';
/** As long as the hub itself takes a signature. */
const BOT_SECONDS = 300;

/**
 * The headers that sign a request, as the hub requires it (Authentication 3 to 8) and as Web Bot
 * Auth does. They cover the host, so it is useless elsewhere, and money held for the call.
 */
export function signatureHeaders(
  { target, method, headers, body }: Unsigned,
  { key, createdSeconds, nonce, baseUrl }: Signing,
): OutboundHeaders {
  const hasBody = body !== undefined && body.length > 0;
  const agent = `"${new URL(baseUrl).origin}"`;
  const added: Record<string, string> = {
    'signature-agent': `${BOT_LABEL}=${agent}`,
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
  const signature = signed(key, baseOf(message, covered, params));
  const bot = botSignature(message, agent, { key, createdSeconds, nonce });
  return {
    ...added,
    'signature-input': `${SIGNATURE_LABEL}=${params}, ${BOT_LABEL}=${bot.params}`,
    signature: `${SIGNATURE_LABEL}=${signature}, ${BOT_LABEL}=${bot.signature}`,
  };
}

/** Covers the member of Signature-Agent that has its own label (choices outbound.signature). */
function botSignature(
  message: Message,
  agent: string,
  { key, createdSeconds, nonce }: Omit<Signing, 'baseUrl'>,
) {
  const member = `"signature-agent";key="${BOT_LABEL}"`;
  const covered = [
    '@authority',
    '@method',
    '@path',
    ...(message.hasBody ? ['content-digest'] : []),
  ];
  const params = [
    `(${[member, ...covered.map((name) => `"${name}"`)].join(' ')})`,
    `created=${createdSeconds}`,
    `expires=${createdSeconds + BOT_SECONDS}`,
    `keyid="${jwkThumbprint(jwkOfKey(key.keyId))}"`,
    `alg="${SIGNATURE_ALGORITHM}"`,
    `nonce="${nonce}"`,
    `tag="${BOT_TAG}"`,
  ].join(';');
  const base = `${member}: ${agent}\n${baseOf(message, covered, params)}`;
  return { params, signature: signed(key, base) };
}

function baseOf(message: Message, covered: readonly string[], params: string): string {
  const base = signatureBase(message, covered, params);
  if (!base.ok) throw new Error(`the request has no ${base.missing} to sign`);
  return base.text;
}

function signed(key: HubKey, base: string): string {
  return `:${Buffer.from(key.sign(Buffer.from(base))).toString('base64')}:`;
}
