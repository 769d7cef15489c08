import { strict as assert } from 'node:assert';
import { need } from '../../db/declared/table.ts';
import type { DeclaredUnit } from '../../db/declared/unit.ts';
import type { Writer } from '../../db/store.ts';
import { attemptByToken, historiesOf } from '../../db/tasks/attempts.ts';
import { readClaim, type StoredTask } from '../../db/tasks/tasks.ts';
import { TASKS } from '../../db/tasks/declared.ts';
import { BEFORE_WELCOME, HISTORIES } from '../../db/tasks/workersDeclared.ts';
import type { Verdict } from '../../domain/acceptance/rule.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { isRefused, type Change } from '../../domain/task/change.ts';
import { deliver, usable } from '../../domain/task/deliver.ts';
import type { Attempt, TaskAggregate } from '../../domain/task/model.ts';
import { attemptsLeft, NO_HISTORY, type TaskHistory } from '../../domain/task/worker.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { judgeResult } from './acceptance.ts';
import type { Committed } from './aggregate.ts';
import { commitChange } from './commit.ts';
import { lockSettled, settleAll } from './due.ts';
import { readsOfChange } from './effects.ts';
import { commitPlain, mustBePlain, NotPlain, plainTask } from './plain.ts';
import { orRefuse } from './refuse.ts';

/** A result that a holder brings (T4 to T6). */
export interface Delivery {
  readonly taskId: string;
  readonly by: Account;
  readonly claimToken: string;
  readonly result: unknown;
}

/** What became of it. */
export interface Delivered {
  readonly settled: Committed;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly attemptsLeft: number;
}

/** What a look before the unit found: the claim of this token, and what the rule says. */
export interface Judged {
  readonly stored: StoredTask;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
}

/** Undefined for a caller whom the unit will refuse. */
export async function judgeDelivery(
  hub: Hub,
  { taskId, by, claimToken, result }: Delivery,
): Promise<Judged | undefined> {
  const found = await hub.store.read(async (db) => {
    const claim = await readClaim(db, taskId, claimToken);
    if (claim === undefined) return undefined;
    const { stored, attempt } = claim;
    const aggregate = { task: stored.task, live: [] };
    return isRefused(usable(aggregate, attempt, by, hub.clock.now())) ? undefined : claim;
  });
  return found && { ...found, verdict: await judgeResult(hub, found.stored.task, result) };
}

/** The delivery as a declared unit; throws `NotPlain` where that is known before. */
export function delivering(
  hub: Hub,
  { taskId, by, result }: Delivery,
  { stored, attempt, verdict }: Judged,
): Omit<DeclaredUnit<Delivered>, 'admit'> {
  const decided = (aggregate: TaskAggregate, held: Attempt, now: Instant): Change =>
    deliver(aggregate, held, { result, verdict }, now);
  const { task, holdId } = stored;
  const at = hub.clock.now();
  if (task.verification === 'validator') throw new NotPlain();
  mustBePlain({ task, live: [attempt] }, at);
  const expected = decided({ task, live: [attempt] }, attempt, at);
  const needs = [
    need(TASKS, taskId),
    need(BEFORE_WELCOME, by),
    ...readsOfChange(hub, { actor: by, at, change: expected, ...defined({ holdId }) }),
  ];
  const onTask = { account: by, taskId };
  return {
    startedAt: at,
    needs: [...needs, need(HISTORIES, onTask)],
    decide(db) {
      const now = hub.clock.now();
      const loaded = plainTask(db, taskId, now);
      const { aggregate } = loaded;
      const held = aggregate.live.find(({ id }) => id === attempt.id);
      if (held === undefined) throw new NotPlain();
      const used = orRefuse(usable(aggregate, held, by, now), { aggregate, now });
      const change = decided(aggregate, used, now);
      const settled = commitPlain(db, hub, { actor: by, at: now, before: loaded, change });
      const history = db.find(HISTORIES, onTask) ?? NO_HISTORY;
      return delivered(settled, change, { attempt: used, verdict, history });
    },
  };
}

/** The same in a free unit. */
export async function deliverIn(
  tx: Writer,
  hub: Hub,
  { taskId, by, claimToken, result }: Delivery,
  verdict: Verdict | undefined,
): Promise<Delivered> {
  const now = hub.clock.now();
  const loaded = await lockSettled(tx, hub, taskId);
  const { aggregate } = loaded;
  const found = await attemptByToken(tx, taskId, claimToken);
  const attempt = orRefuse(usable(aggregate, found, by, now), { aggregate, now });
  assert(verdict !== undefined, 'a token that works now worked a moment ago');
  const change = deliver(aggregate, attempt, { result, verdict }, now);
  const committed = await commitChange(tx, hub, loaded, change, { actor: by, at: now });
  const settled = await settleAll(tx, hub, committed, now);
  const history = (await historiesOf(tx, by, [taskId])).get(taskId) ?? NO_HISTORY;
  return delivered(settled, change, { attempt, verdict, history });
}

function delivered(
  settled: Committed,
  change: Change,
  about: {
    readonly attempt: Attempt;
    readonly verdict: Verdict;
    readonly history: TaskHistory;
  },
): Delivered {
  const attempt = change.attempts.find(({ id }) => id === about.attempt.id);
  assert(attempt !== undefined, 'a delivery changes its attempt');
  const left = attemptsLeft(settled.aggregate.task, about.history);
  return { settled, attempt, verdict: about.verdict, attemptsLeft: left };
}
