import { sha256 } from '../digest.ts';
import { parseJson } from '../json.ts';
import { isObject, type JsonObject } from '../jsonObject.ts';
import { JSON_DEPTH_MAX } from '../jsonScan.ts';

/**
 * SD-JWTs (RFC 9901) as AP2 writes mandates, whose one item of `delegate_payload` is disclosed. The
 * hub reads one only if all of it is disclosed, because an undisclosed item of a list would be a
 * constraint that it does not know.
 */
const SD_JWT_TYPE = 'mandate+sd-jwt';
/** Characters of a mandate, so that it is parsed within a few milliseconds. */
export const MANDATE_LENGTH_MAX = 65_536;
const DISCLOSURES_MAX = 256;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const KEY_BINDING = /^kb[+-]sd-jwt/;

export interface SdJwt {
  readonly header: JsonObject;
  /** With every disclosed value in its place. */
  readonly payload: JsonObject;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** The signer of an SD-JWT, and the random bytes that keep its content from being guessed. */
export interface SdJwtSigner {
  readonly issuer: string;
  readonly keyId: string;
  readonly salt: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

export function writeSdJwt(content: JsonObject, by: SdJwtSigner): string {
  const disclosure = encoded([base64url(by.salt), content]);
  const header = { alg: 'EdDSA', kid: by.keyId, typ: SD_JWT_TYPE };
  const payload = {
    iss: by.issuer,
    delegate_payload: [{ '...': digestOf(disclosure) }],
    _sd_alg: 'sha-256',
  };
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${base64url(by.sign(Buffer.from(signed)))}~${disclosure}~`;
}

/** Reads a text without checking its signature; a text is returned where it is no whole SD-JWT. */
export function readSdJwt(text: string): SdJwt | string {
  const [jwt = '', ...rest] = text.split('~', DISCLOSURES_MAX + 3);
  if (rest.at(-1) !== '') {
    return 'It must end with "~", without the proof of a holder behind it.';
  }
  const disclosures = rest.slice(0, -1);
  if (disclosures.length > DISCLOSURES_MAX)
    return `It has more than ${DISCLOSURES_MAX} disclosures.`;
  const [head = '', body = '', tail = '', ...more] = jwt.split('.', 4);
  const [header, payload, signature] = [objectOf(head), objectOf(body), bytesOf(tail)];
  if (more.length > 0 || !isObject(header) || !isObject(payload) || signature === undefined) {
    return 'It must begin with a header, a payload and a signature in base64url.';
  }
  const { typ } = header;
  if (header['crit'] !== undefined) return 'Its header has `crit`, of which the hub knows nothing.';
  if (typeof typ !== 'string' || !typ.endsWith('+sd-jwt') || KEY_BINDING.test(typ)) {
    return `Its header must have a \`typ\` that ends with "+sd-jwt", such as "${SD_JWT_TYPE}".`;
  }
  if (![undefined, 'sha-256'].includes(payload['_sd_alg'] as string | undefined)) {
    return 'Its `_sd_alg` must be "sha-256".';
  }
  const whole = disclosed(payload, disclosures);
  if (typeof whole === 'string') return whole;
  return { header, payload: whole, signed: Buffer.from(`${head}.${body}`), signature };
}

class NotWhole extends Error {}

function disclosed(payload: JsonObject, texts: readonly string[]): JsonObject | string {
  const items = new Map<string, readonly unknown[]>();
  for (const text of texts) {
    const item = jsonOf(text);
    const digest = digestOf(text);
    if (!Array.isArray(item) || items.has(digest))
      return 'A disclosure is no list of exact JSON, or is there twice.';
    items.set(digest, item);
  }
  const take = (digest: unknown, length: number): readonly unknown[] => {
    const item = typeof digest === 'string' ? items.get(digest) : undefined;
    if (item?.length !== length)
      throw new NotWhole('Part of it is not disclosed; hand in all of it.');
    items.delete(digest as string);
    return item;
  };
  const whole = (value: unknown, depth: number): unknown => {
    if (depth > JSON_DEPTH_MAX) throw new NotWhole('It is nested too deeply.');
    if (Array.isArray(value)) {
      return value.map((each: unknown) => {
        const isHidden = isObject(each) && Object.hasOwn(each, '...');
        return whole(isHidden ? take(each['...'], 2)[1] : each, depth + 1);
      });
    }
    if (!isObject(value)) return value;
    const { _sd: digests = [], ...members } = value;
    if (!Array.isArray(digests)) throw new NotWhole('Its `_sd` must be a list.');
    const names = new Set(Object.keys(members));
    const found = digests.map((digest: unknown) => {
      const [, name, member] = take(digest, 3);
      if (typeof name !== 'string' || names.has(name) || name === '_sd' || name === '...') {
        throw new NotWhole('A disclosure has no name, or the name of another member.');
      }
      names.add(name);
      return [name, member] as const;
    });
    const all = [...Object.entries(members), ...found];
    return Object.fromEntries(all.map(([name, member]) => [name, whole(member, depth + 1)]));
  };
  try {
    const result = whole(payload, 0);
    if (items.size > 0) return 'It has a disclosure that nothing in it refers to.';
    return isObject(result) ? result : 'It is no object.';
  } catch (error) {
    if (error instanceof NotWhole) return error.message;
    throw error;
  }
}

function digestOf(disclosure: string): string {
  return base64url(sha256(disclosure));
}

function encoded(value: unknown): string {
  return base64url(Buffer.from(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** Decodes base64url; undefined for any spelling but the one that these bytes have. */
export function bytesOf(text: string): Uint8Array | undefined {
  if (!BASE64URL.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function jsonOf(text: string): unknown {
  const bytes = bytesOf(text);
  const parsed = bytes && parseJson(bytes);
  return parsed?.ok === true ? parsed.value : undefined;
}

function objectOf(text: string): JsonObject | undefined {
  const value = jsonOf(text);
  return isObject(value) ? value : undefined;
}
