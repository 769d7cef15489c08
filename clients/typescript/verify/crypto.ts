import { Point } from '@noble/ed25519';

/** The two functions that a verifier needs; either may answer at once or later. */
export interface VerifyCrypto {
  readonly sha256: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  /**
   * Ed25519 (RFC 8032 5.1.7) over a public key of 32 bytes and a signature of 64: S below the order
   * of the group, and R equal byte for byte. Answers false, and throws nothing, on bad input.
   */
  readonly ed25519: (
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
  ) => boolean | Promise<boolean>;
}

/** Order of the group (RFC 8032 5.1). */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const HALF = 32;

/** For browsers and every other place that has WebCrypto. */
export const webCrypto: VerifyCrypto = {
  sha256: (bytes) => digest('SHA-256', bytes),
  ed25519: verifyWithPoints,
};

/**
 * WebCrypto has no ed25519 in many browsers. The equation without the cofactor is the one that
 * OpenSSL checks, so the verifiers for Node and for Python agree with this one on odd signatures.
 */
async function verifyWithPoints(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const r = signature.subarray(0, HALF);
  const s = littleEndian(signature.subarray(HALF));
  const hashed = Uint8Array.of(...r, ...publicKey, ...message);
  const k = littleEndian(await digest('SHA-512', hashed)) % ORDER;
  try {
    // An S that is not below the order of the group is thrown out by `multiply`.
    const key = Point.fromBytes(publicKey);
    const found = Point.BASE.multiply(s, false).subtract(key.multiply(k, false)).toBytes();
    return found.every((byte, at) => byte === r[at]);
  } catch {
    return false;
  }
}

/** The copy is one that no other thread shares, as the types of WebCrypto ask. */
async function digest(name: 'SHA-256' | 'SHA-512', bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(name, Uint8Array.from(bytes)));
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
}
