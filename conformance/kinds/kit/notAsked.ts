/** Why a test cannot be asked of a hub of which the suite has the address alone. */
export const REASONS = {
  clock: "needs the hub's clock moved",
  inside: "needs to look into the hub's database or process",
  settings: 'needs a hub started with settings of its own',
  money: 'needs test money: the faucet gives none, and no --key with enough of it was given',
  limits: "the hub's limits ask to wait for longer than a minute",
  prepared: 'what it builds on did not hold',
  left: 'leaves itself out',
} as const;

export type Reason = keyof typeof REASONS;

/** Thrown in place of an answer; the test is counted under its reason and has not failed. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(REASONS[reason]);
    this.reason = reason;
  }
}

/** The reason behind an error, however a library has wrapped it. */
export function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof NotAsked) return error.reason;
  return error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : undefined;
}
