import { readCall } from '../../db/router/calls.ts';
import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import type { AttemptOutcome } from '../../domain/router/ending.ts';
import type { Receipt } from '../../domain/router/receipt.ts';
import type { Asker } from '../kernel/checks/checks.ts';
import type { Hub } from '../kernel/hub.ts';
import { callAgent, type Asked } from './callAgent.ts';
import { conclude } from './conclude.ts';
import { judgedEnd } from './judge.ts';
import { chainPart } from './onChain.ts';
import type { Begun } from './order.ts';
import type { Progress } from './turn.ts';

/**
 * Calls agents for a caller (choices router.money). One transaction holds the price and begins the
 * receipt before a call (`order.ts`); another one after it writes each outcome.
 */
export interface Performed {
  readonly receipt: Receipt;
  readonly result?: { readonly value: unknown };
}

export interface CallWishes {
  readonly asked: Asked;
  readonly accept?: AcceptanceRule;
  readonly from: Asker;
  /** Whether another may be asked after one that broke off. */
  readonly isRepeatable: boolean;
  /** By the hub's monotonic clock. */
  readonly startedAt: number;
}

/** Calls one candidate after the other; each is bounded, and so is all of it. */
export async function perform(
  hub: Hub,
  begun: Begun,
  { asked, accept, from, isRepeatable: repeatable, startedAt }: CallWishes,
): Promise<Performed> {
  if (!('candidate' in begun)) return begun;
  const elapsed = (): number => Math.max(0, Math.round(hub.clock.elapsedMs() - startedAt));
  let underWay = begun;
  let worst: AttemptOutcome = 'failed';
  for (;;) {
    const turn = underWay;
    const answered = await callAgent(hub, turn, asked, elapsed());
    const ended = await judgedEnd(hub, turn, answered, { accept, from });
    const part = await chainPart(hub, turn, ended.ending);
    const progress: Progress = { elapsedMs: elapsed(), worst, repeatable };
    const after = await conclude(hub, turn, { ...ended, part }, progress);
    if (after === undefined) return { receipt: await callReceipt(hub, turn.receipt.id) };
    if ('done' in after) {
      const { ending } = ended;
      const isShown = 'result' in ending;
      return { receipt: after.done, ...(isShown && { result: { value: ending.result } }) };
    }
    ({ underWay, worst } = after);
  }
}

/** The receipt as it stands now; the answer itself is not kept. */
export async function callReceipt(hub: Hub, id: string): Promise<Receipt> {
  const found = await hub.store.readOne((db) => readCall(db, id));
  if (found === undefined) throw new Error(`call ${id} has no row`);
  return found;
}
