import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { earliest, instant, type Instant } from '../instant.ts';
import { atomic, ZERO, type Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';

/**
 * A key's spending policy (choices wallet.policies), by UTC hours, days and months. What leaves the
 * account or is held counts; returns reduce only the window that it was taken in.
 */
export interface KeyPolicy {
  readonly perCall?: Atomic;
  readonly perHour?: Atomic;
  readonly perDay?: Atomic;
  readonly perMonth?: Atomic;
  readonly approveAbove?: Atomic;
  readonly operations?: readonly string[];
  readonly counterparties?: readonly Account[];
  readonly tools?: readonly string[];
  readonly models?: readonly string[];
  readonly networks?: readonly NetworkId[];
  readonly expiresAt?: Instant;
}

const WINDOWS = ['hour', 'day', 'month'] as const;
export type Window = (typeof WINDOWS)[number];
type LimitName = 'call' | Window;

/** The amounts that a key used in the windows that contain `at`. */
export interface Spent {
  readonly at: Instant;
  readonly hour: Atomic;
  readonly day: Atomic;
  readonly month: Atomic;
}

export interface LimitState {
  readonly window: LimitName;
  readonly limit: Atomic;
  readonly used: Atomic;
  readonly left: Atomic;
  /** Absent for a limit per call. */
  readonly resetsAt?: Instant;
}

const LIMITS: Readonly<Record<LimitName, keyof KeyPolicy & `per${string}`>> = {
  call: 'perCall',
  hour: 'perHour',
  day: 'perDay',
  month: 'perMonth',
};

export const NOTHING_SPENT: Spent = { at: instant(0), hour: ZERO, day: ZERO, month: ZERO };

/** The first moment of the window that contains a moment. */
export function windowStart(window: Window, at: Instant): Instant {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (window) {
    case 'hour':
      return instant(Date.UTC(year, month, day, date.getUTCHours()));
    case 'day':
      return instant(Date.UTC(year, month, day));
    case 'month':
      return instant(Date.UTC(year, month));
  }
}

export function windowEnd(window: Window, at: Instant): Instant {
  const date = new Date(windowStart(window, at));
  if (window === 'hour') date.setUTCHours(date.getUTCHours() + 1);
  if (window === 'day') date.setUTCDate(date.getUTCDate() + 1);
  if (window === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  return instant(date.getTime());
}

/**
 * The same counts at a later moment: windows that are over are empty. A clock that is behind the
 * newest count changes nothing, so no process reopens a window that another one has closed.
 */
export function spentAt(spent: Spent, now: Instant): Spent {
  if (now <= spent.at) return spent;
  const kept = (window: Window): Atomic =>
    windowStart(window, now) === windowStart(window, spent.at) ? spent[window] : ZERO;
  return { at: now, hour: kept('hour'), day: kept('day'), month: kept('month') };
}

export function take(spent: Spent, amount: bigint, now: Instant): Spent {
  const { at, hour, day, month } = spentAt(spent, now);
  return {
    at,
    hour: atomic(hour + amount),
    day: atomic(day + amount),
    month: atomic(month + amount),
  };
}

/** Adds an amount to the windows of an earlier moment, as far as they still run; may be negative. */
export function takeAgain(spent: Spent, amount: bigint, takenAt: Instant): Spent {
  const changed = (window: Window): Atomic => {
    if (windowStart(window, takenAt) !== windowStart(window, spent.at)) return spent[window];
    const sum = spent[window] + amount;
    return sum < 0n ? ZERO : atomic(sum);
  };
  return { at: spent.at, hour: changed('hour'), day: changed('day'), month: changed('month') };
}

/** The limits of a policy, the shortest first; `taken` is what the call at hand took before. */
export function limitsOf(
  policy: KeyPolicy,
  spent: Spent,
  now: Instant,
  taken = 0n,
): readonly LimitState[] {
  const current = spentAt(spent, now);
  return (['call', ...WINDOWS] as const).flatMap((window) => {
    const limit = policy[LIMITS[window]];
    if (limit === undefined) return [];
    const used = window === 'call' ? atomic(taken) : current[window];
    const left = used >= limit ? ZERO : atomic(limit - used);
    const ends = window === 'call' ? {} : { resetsAt: windowEnd(window, current.at) };
    return [{ window, limit, used, left, ...ends }];
  });
}

/** The limit that has least left for an amount; undefined when all of them have room. */
export function overLimit(limits: readonly LimitState[], amount: bigint): LimitState | undefined {
  const over = limits.filter(({ left }) => left < amount);
  return over.reduce<LimitState | undefined>(
    (least, each) => (least === undefined || each.left < least.left ? each : least),
    undefined,
  );
}

const AMOUNTS = ['perCall', 'perHour', 'perDay', 'perMonth', 'approveAbove'] as const;
const LISTS = ['operations', 'counterparties', 'tools', 'models', 'networks'] as const;

/** The policy that allows just what both allow. */
export function narrower(a: KeyPolicy, b: KeyPolicy): KeyPolicy {
  const amounts = AMOUNTS.map((name) => {
    const [one, other] = [a[name], b[name]];
    return [name, one !== undefined && other !== undefined && one < other ? one : (other ?? one)];
  });
  const lists = LISTS.map((name) => {
    const [one, other]: (readonly string[] | undefined)[] = [a[name], b[name]];
    return [name, one && other ? one.filter((each) => other.includes(each)) : (one ?? other)];
  });
  const expiresAt = sooner(a.expiresAt, b.expiresAt);
  return defined({ ...Object.fromEntries([...amounts, ...lists]), expiresAt }) as KeyPolicy;
}

export function sooner(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a !== undefined && b !== undefined ? earliest(a, b) : (a ?? b);
}

/** A call as a policy judges it before its money is known. */
export interface PolicyCall {
  readonly operation: string;
  readonly isRead: boolean;
  readonly ownerKey?: 'always' | 'unless-named' | undefined;
  readonly tool?: string | undefined;
  readonly model?: string | undefined;
  /** Models that may answer in its place. */
  readonly fallbacks?: readonly string[] | undefined;
  /** Who is paid for the work in place of the account. */
  readonly payee?: Account | undefined;
}

/** Why a policy forbids a call; undefined when it does not. */
export function whyForbidden(policy: KeyPolicy, call: PolicyCall): string | undefined {
  const { operation, isRead, ownerKey, tool, model, fallbacks = [], payee } = call;
  if (ownerKey === 'always') return `A key with a spending policy cannot call ${operation}.`;
  const isNamed = policy.operations?.includes(operation) === true;
  if (ownerKey === 'unless-named' && !isNamed) {
    return `The policy of this key does not name ${operation}.`;
  }
  if (policy.operations !== undefined && !isNamed && !isRead) {
    return `The policy of this key allows ${listed(policy.operations)}, and not ${operation}.`;
  }
  if (tool !== undefined && policy.tools?.includes(tool) === false) {
    return `The policy of this key allows the tools ${listed(policy.tools)}, and not ${tool}.`;
  }
  const { models: allowed } = policy;
  const strange = [model, ...fallbacks].find((each) => each && allowed?.includes(each) === false);
  if (allowed !== undefined && strange !== undefined) {
    return `The policy of this key allows the models ${listed(allowed)}, and not ${strange}.`;
  }
  if (payee === undefined) return undefined;
  if (policy.counterparties !== undefined) return whyNotPaid(policy, payee);
  return `The policy of this key names no counterparties, so it cannot have ${payee} paid for work.`;
}

/** Why an account may not be paid; undefined where no counterparties are named, or it is one. */
export function whyNotPaid({ counterparties }: KeyPolicy, to: Account): string | undefined {
  if (counterparties === undefined || counterparties.includes(to)) return undefined;
  return `The policy of this key allows payments to ${listed(counterparties)}, and not to ${to}.`;
}

const LISTED_MAX = 10;

export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : '';
  return names.slice(0, LISTED_MAX).join(', ') + more;
}
