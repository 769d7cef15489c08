import {
  base64,
  contentDigest,
  signatureBase,
  signatureParams,
  SIGNATURE_LABEL,
  type Message,
} from '../../../../domain/httpsig/base.ts';
import { HTTPSIG_LIMITS } from '../../../../domain/httpsig/limits.ts';
import { sha256, sha256Hex } from '../../../../domain/digest.ts';
import { instant } from '../../../../domain/instant.ts';
import type { Schemas } from '../../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../../workflows/kernel/hub.ts';
import { sandboxKey, signWithSandboxKey } from './sandboxKey.ts';

/** One request to the checker, signed now with the published key, so it verifies as pasted. */
type SignedExample = Schemas['SignedExample'];

const NONCE_BYTES = 16;
const PATH = '/api/v1/quickstart/check';
const BODY = '{"hello":"hub"}';
/** `@authority` is beyond the minimum; it keeps the request from being replayed at another hub. */
const COVERED = ['@method', '@authority', '@path', 'content-digest'];

export function signedExample({ clock, random, settings }: Hub): SignedExample {
  const { host, protocol } = new URL(settings.baseUrl);
  const digest = contentDigest(sha256(BODY));
  const created = Math.floor(clock.now() / 1000);
  const nonce = Buffer.from(random(NONCE_BYTES)).toString('base64url');
  const params = signatureParams(COVERED, {
    createdSeconds: created,
    keyId: sandboxKey.keyId,
    nonce,
  });
  const message: Message = {
    method: 'POST',
    target: PATH,
    path: PATH,
    query: undefined,
    scheme: protocol.slice(0, -1),
    authority: host,
    hasBody: true,
    field: (name) => (name === 'content-digest' ? digest : undefined),
  };
  const base = signatureBase(message, COVERED, params);
  if (!base.ok) throw new Error(`the example has no ${base.missing}`);
  const signature = base64(signWithSandboxKey(base.text));
  const headers = [
    { name: 'content-type', value: 'application/json' },
    { name: 'content-digest', value: digest },
    { name: 'signature-input', value: `${SIGNATURE_LABEL}=${params}` },
    { name: 'signature', value: `${SIGNATURE_LABEL}=:${signature}:` },
  ];
  return {
    method: 'POST',
    path: PATH,
    headers,
    body: BODY,
    covered: COVERED,
    signatureBase: base.text,
    signatureBaseSha256: sha256Hex(base.text),
    signature,
    created,
    verifiesUntil: instant((created + HTTPSIG_LIMITS.maxAgeSeconds) * 1000),
    curl: curlOf(`${settings.baseUrl}${PATH}`, headers, BODY),
  };
}

function curlOf(url: string, headers: SignedExample['headers'], body: string): string {
  const lines = [
    `curl -sS -X POST ${quoted(url)}`,
    ...headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(' \\\n  ');
}

/** One word for a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
