import { createHash } from 'node:crypto';
import { requiredComponents, signatureBase } from '../../../domain/httpsig/base.ts';
import { digestRefusal } from '../../../domain/httpsig/digest.ts';
import { judgeKey } from '../../../domain/httpsig/keys.ts';
import { readFields, readMessage } from '../../../domain/httpsig/message.ts';
import { findSignature } from '../../../domain/httpsig/parse.ts';
import { nodeCrypto } from '../../typescript/verify/nodeCrypto.ts';
import type { SiteRequest } from './site.ts';

const AGE_SECONDS_MAX = 60;
const hash = (name: string) => (bytes: Uint8Array) => createHash(name).update(bytes).digest();
const HASHES = { sha256: hash('sha256'), sha512: hash('sha512') };

/**
 * Returns the id of the key that signed the whole request (RFC 9421), with this header and the
 * host, at most a minute ago; undefined without such a signature. A server that must serve each
 * request only once also stores its nonce.
 */
export function signerOf(request: SiteRequest, header: string): string | undefined {
  const { method, path: target, raw } = request;
  const fields = readFields(raw.rawHeaders);
  const body = Buffer.from(request.body);
  const message = readMessage({ method, target, headers: raw.rawHeaders, body }, fields, []);
  const found = findSignature(fields);
  if ('reason' in message || found.kind !== 'found') return undefined;
  const { covered, params, createdSeconds, keyIdText, signature } = found.signature;
  const mustCover = [...requiredComponents(message), '@authority', header];
  if (!mustCover.every((name) => covered.includes(name))) return undefined;
  if (message.hasBody && digestRefusal(fields, body, HASHES) !== undefined) return undefined;
  if (Math.abs(Date.now() / 1000 - createdSeconds) > AGE_SECONDS_MAX) return undefined;
  const key = judgeKey(keyIdText);
  const base = signatureBase(message, covered, params);
  if (!key.ok || !base.ok) return undefined;
  const isSigned = nodeCrypto.ed25519(key.bytes, Buffer.from(base.text), signature);
  return isSigned === true ? key.keyId : undefined;
}
