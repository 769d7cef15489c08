import type { TaskDraft } from './draft.ts';

/** The fees of new tasks, in hundredths of a percent (choices tasks.transitions). */
export const FEES_BPS = { hub: 300, judges: 100 } as const;
const BPS = 10_000n;

/** Returns each party's share of a reward, rounded as the hub rounds: the rest is the worker's. */
export function splitOf(reward: string, verification: TaskDraft['verification']) {
  const units = BigInt(reward);
  const hub = (units * BigInt(FEES_BPS.hub)) / BPS;
  const judges = verification === 'validator' ? (units * BigInt(FEES_BPS.judges)) / BPS : 0n;
  return { worker: `${units - hub - judges}`, hub: `${hub}`, judges: `${judges}` };
}
