import { instant, type Instant } from './instant.ts';
import { atomic, display, type Atomic } from './money.ts';

/**
 * Invariant: no account gets more than the daily cap in one UTC day, however its requests are split
 * or raced (choices wallet.faucet).
 */
export const FAUCET_EACH_MAX: Atomic = atomic(1_000_000_000n);
export const FAUCET_DAILY_MAX: Atomic = atomic(10_000_000_000n);
const DAY_MS = 86_400_000;

export interface FaucetRefusal {
  readonly refused: 'faucet-cap';
  readonly why: string;
  /** When the same request would be taken; absent when it never would. */
  readonly until?: Instant;
}

/** Returns the rest of today's limit after `amount`; `before` was given earlier today. */
export function give(
  amount: Atomic,
  before: Atomic,
  at: Instant,
): { readonly left: Atomic } | FaucetRefusal {
  if (amount > FAUCET_EACH_MAX) {
    return {
      refused: 'faucet-cap',
      why: `The faucet gives at most ${usdc(FAUCET_EACH_MAX)} a request; this asks for ${usdc(amount)}.`,
    };
  }
  const left = FAUCET_DAILY_MAX - before;
  if (amount > left) {
    return {
      refused: 'faucet-cap',
      why: `The faucet gives an account at most ${usdc(FAUCET_DAILY_MAX)} a UTC day; ${usdc(atomic(left > 0n ? left : 0n))} are left today.`,
      until: nextUtcDay(at),
    };
  }
  return { left: atomic(left - amount) };
}

/** Midnight UTC at or before `at`. */
export function utcDay(at: Instant): Instant {
  return instant(Math.floor(at / DAY_MS) * DAY_MS);
}

export function nextUtcDay(at: Instant): Instant {
  return instant(utcDay(at) + DAY_MS);
}

function usdc(amount: Atomic): string {
  return `${display(amount)} USDC (${amount} atomic units)`;
}
