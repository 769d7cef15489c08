import { attemptsOfTask } from '../../db/tasks/attempts.ts';
import { eventsOfTask } from '../../db/tasks/events.ts';
import { requesterRecord } from '../../db/tasks/requesterRecord.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { panelsOf } from './present/panel.ts';
import { readSettledWith } from '../../workflows/tasks/due.ts';
import { presentNext } from '../../workflows/tasks/nextActions.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import {
  presentAttempt,
  presentEvent,
  presentRecord,
  presentTask,
  type Schemas,
} from './present/task.ts';

const SHOWN_MAX = 500;

export const get: Handler<'tasks.get'> = async (call, hub) => {
  const { id } = call.path;
  const { known, more } = await readSettledWith(hub, id, async (db, { aggregate: { task } }) => ({
    record: task.reward && (await requesterRecord(db, task.requester, task.reward.network)),
    workers: await attemptsOfTask(db, id, SHOWN_MAX),
    history: await eventsOfTask(db, id, SHOWN_MAX),
    panels: task.verification === 'validator' ? await panelsOf(db, id) : undefined,
  }));
  const { aggregate } = known;
  const { workers, history, record, panels } = more;
  const now = hub.clock.now();
  const task = presentTask(aggregate, now);
  return {
    status: 200,
    body: {
      ...task,
      next: nextFor(call.caller, aggregate, now),
      ...(record !== undefined && { requesterRecord: presentRecord(record) }),
      workers: workers.map(presentAttempt),
      history: history.map(presentEvent),
      ...defined({ panels }),
      ...UNTRUSTED_TEXTS,
    },
  };
};

/** The calls that name the signer, and the calls open to all accounts but the requester's. */
function nextFor(
  caller: Call<'tasks.get'>['caller'],
  aggregate: TaskAggregate,
  now: Instant,
): Schemas['Task']['next'] {
  if (caller.kind !== 'signer') return presentNext(aggregate, now);
  const { account } = caller;
  const roles = account === aggregate.task.requester ? ['anyone'] : ['anyone', 'any worker'];
  const next = presentNext(aggregate, now, account);
  return next.filter(({ who }) => who === account || roles.includes(who));
}
