import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** X.509 certificates made in a test (RFC 5280, ECDSA P-256), so no key is stored or expires. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}
export interface Authority extends Certificate {
  /** A certificate for these DNS names; `notAfter` is a year, a past one for an expired one. */
  issue(names: readonly string[], notAfter?: number): Certificate;
}

const ECDSA_SHA256 = der(0x30, oid('2a8648ce3d040302'));
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

export function authority(name: string): Authority {
  const own = keyPair();
  const made = certificate({ issuer: name, subject: name, by: own.privateKey, of: own.publicKey });
  return {
    ...made,
    key: pem(own.privateKey),
    issue(names, notAfter = 2099) {
      const leaf = keyPair();
      const subject = names[0] ?? 'nobody';
      const from = { issuer: name, subject, by: own.privateKey, of: leaf.publicKey };
      return { ...certificate({ ...from, names, notAfter }), key: pem(leaf.privateKey) };
    },
  };
}

interface Made {
  readonly issuer: string;
  readonly subject: string;
  readonly by: KeyObject;
  readonly of: KeyObject;
  /** Absent for an authority. */
  readonly names?: readonly string[];
  readonly notAfter?: number;
}

let serial = 1;

function certificate({ issuer, subject, by, of, names, notAfter = 2099 }: Made): { cert: string } {
  serial += 1;
  const extension =
    names === undefined
      ? [oid(BASIC_CONSTRAINTS), yes(), octets(der(0x30, yes()))]
      : [oid(SUBJECT_ALT_NAME), octets(der(0x30, ...names.map((n) => der(0x82, Buffer.from(n)))))];
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial])),
    ECDSA_SHA256,
    named(issuer),
    der(0x30, year(2020), year(notAfter)),
    named(subject),
    of.export({ format: 'der', type: 'spki' }),
    der(0xa3, der(0x30, der(0x30, ...extension))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, by)]);
  const whole = der(0x30, body, ECDSA_SHA256, der(0x03, signature)).toString('base64');
  return { cert: `-----BEGIN CERTIFICATE-----\n${whole}\n-----END CERTIFICATE-----\n` };
}

function keyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}

function named(name: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid(COMMON_NAME), der(0x0c, Buffer.from(name)))));
}

function year(value: number): Buffer {
  return der(0x18, Buffer.from(`${value}0101000000Z`));
}

function yes(): Buffer {
  return der(0x01, Buffer.from([0xff]));
}

function octets(content: Buffer): Buffer {
  return der(0x04, content);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** Tag, length and content (X.690 8.1). */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const inner = Buffer.concat(content);
  const size = inner.length;
  const length =
    size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), inner]);
}
