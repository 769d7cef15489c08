/** Every bound on untrusted input of the verifier; nothing is read past its bound. */
export const HTTPSIG_LIMITS = {
  /** Each of Signature-Input, Signature and Content-Digest, in characters. */
  headerLengthMax: 4096,
  /** Members of one dictionary: signatures beside ours, or digests of several algorithms. */
  labelsMax: 4,
  componentsMax: 32,
  nonceLengthMin: 8,
  nonceLengthMax: 128,
  maxAgeSeconds: 300,
} as const;
