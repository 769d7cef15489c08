/** Content-Digest (RFC 9530, Authentication 6): known algorithms must all match, one present. */
export interface Hashes {
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
  readonly sha512: (bytes: Uint8Array) => Uint8Array;
}
