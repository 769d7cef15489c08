/** Limits of one call, whatever the other side does. */
export interface Limits {
  /** Everything: waiting for a turn, all hops, the body. */
  readonly totalMs: number;
  /** One hop's TCP and TLS, over all addresses tried. */
  readonly connectMs: number;
  /** From a ready connection to the whole head of the answer. */
  readonly firstByteMs: number;
  /** Bytes of the body, counted as sent and again as decoded. */
  readonly bytesMax: number;
  readonly headerBytesMax: number;
  readonly redirectsMax: number;
}
export type LimitOptions = Partial<Limits>;

/** The limits of a call that asks for none; a card has at most 1 MiB and 10 s. */
const USUAL: Limits = {
  totalMs: 10_000,
  connectMs: 4_000,
  firstByteMs: 8_000,
  bytesMax: 1_048_576,
  headerBytesMax: 16_384,
  redirectsMax: 5,
};
/** Wishes above these are lowered to them. */
const CEILINGS: Limits = {
  // An answer of a model streams as long as it is long.
  totalMs: 600_000,
  connectMs: 10_000,
  firstByteMs: 120_000,
  bytesMax: 16_777_216,
  headerBytesMax: 65_536,
  redirectsMax: 10,
};

export interface ConcurrencyLimits {
  readonly underWayMax: number;
  readonly perHostMax: number;
  readonly waitingMax: number;
  readonly waitingPerHostMax: number;
}
export const CONCURRENCY_LIMITS: ConcurrencyLimits = {
  underWayMax: 64,
  perHostMax: 6,
  waitingMax: 2_000,
  waitingPerHostMax: 128,
};

export function limitsOf(options: LimitOptions = {}): Limits {
  const limit = (name: keyof Limits): number =>
    Math.max(0, Math.min(options[name] ?? USUAL[name], CEILINGS[name]));
  return {
    totalMs: limit('totalMs'),
    connectMs: limit('connectMs'),
    firstByteMs: limit('firstByteMs'),
    bytesMax: limit('bytesMax'),
    headerBytesMax: limit('headerBytesMax'),
    redirectsMax: limit('redirectsMax'),
  };
}
