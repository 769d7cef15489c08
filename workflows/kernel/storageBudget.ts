import { refuse } from './errors.ts';
import type { Caller } from './call.ts';
import type { PolicyName } from './policies.ts';

/** Bytes that an account and an address may store without paying (choices pipeline.storage). */
export interface StorageBudget {
  /** Takes what a call stores from both budgets, or refuses it; `isPaid` costs a sixteenth. */
  take(caller: Caller, bytes: number, isPaid?: boolean): void;
  /** Takes the place of the answer that is kept for a key, or refuses the call. */
  takeKey(caller: Caller): void;
}

interface Limits {
  spend(name: PolicyName, partition: string, units: number): Note;
  look(name: PolicyName, partition: string): Note;
}
interface Note {
  readonly policy: string;
  readonly retryAfterSeconds?: number;
}

/** A row with its indexes takes room as well, however short its texts are. */
const ROW_BYTES = 512;
const PAID_PART = 16;

export function openStorageBudget(limits: Limits): StorageBudget {
  return {
    take(caller, bytes, isPaid = false) {
      const budgets = budgetsOf(caller, ['storage', 'storagehere']);
      for (const budget of budgets) mustHold(limits.look(...budget), STORED);
      const units = (bytes + ROW_BYTES) / 1_024 / (isPaid ? PAID_PART : 1);
      for (const budget of budgets) limits.spend(...budget, units);
    },
    takeKey(caller) {
      const budgets = budgetsOf(caller, ['keys', 'keyshere']);
      for (const budget of budgets) mustHold(limits.look(...budget), KEPT);
      for (const budget of budgets) limits.spend(...budget, 1);
    },
  };
}

/** A budget may be overdrawn by the call that uses it up. */
function budgetsOf(
  caller: Caller,
  [own, here]: readonly [PolicyName, PolicyName],
): readonly (readonly [PolicyName, string])[] {
  const ofAddress = [here, caller.ip] as const;
  return caller.kind === 'visitor' ? [ofAddress] : [ofAddress, [own, caller.account]];
}

/** For a call that is only tried. */
export const NO_BUDGET: StorageBudget = { take: () => undefined, takeKey: () => undefined };

interface Words {
  readonly what: string;
  readonly hint: string;
}

const STORED: Words = {
  what: 'in KB that are stored without payment',
  hint: 'Wait `retryAfterSeconds`, then send this again; a shorter text may fit earlier. Texts of tasks with a reward count a sixteenth.',
};
const KEPT: Words = {
  what: 'in idempotency keys of calls that cost nothing',
  hint: 'Wait `retryAfterSeconds`, then send this again; without the header Idempotency-Key it counts at once.',
};

function mustHold({ policy, retryAfterSeconds: wait }: Note, { what, hint }: Words): void {
  if (wait === undefined) return;
  const headers = { 'retry-after': String(wait) };
  const error = `Over the limit ${policy}, ${what}; wait ${wait} s.`;
  refuse('rate-limited', { error, hint, retryAfterSeconds: wait }, headers);
}
