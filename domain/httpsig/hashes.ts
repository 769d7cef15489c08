/**
 * Content-Digest against the bytes (RFC 9530, Authentication 6). Covering the header proves nothing
 * until it is compared: every supported algorithm present must match, and one must be present.
 */
export interface Hashes {
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
  readonly sha512: (bytes: Uint8Array) => Uint8Array;
}
