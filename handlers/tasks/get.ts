import { attemptsOfTask } from '../../db/tasks/attempts.ts';
import { eventsOfTask } from '../../db/tasks/events.ts';
import { requesterRecord } from '../../db/tasks/requesterRecord.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { panelsOf } from './present/panel.ts';
import { readSettledWith } from '../../workflows/tasks/due.ts';
import { presentNextFor } from '../../workflows/tasks/nextActions.ts';
import { actor, workerOn } from '../../workflows/tasks/worker.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import { presentAttempt, presentEvent, presentRecord, presentTask } from './present/task.ts';

const SHOWN_MAX = 500;

export const get: Handler<'tasks.get'> = async (call, hub) => {
  const { id } = call.path;
  const { known, more } = await readSettledWith(hub, id, async (db, { aggregate: { task } }) => ({
    record: task.reward && (await requesterRecord(db, task.requester, task.reward.network)),
    workers: await attemptsOfTask(db, id, SHOWN_MAX),
    history: await eventsOfTask(db, id, SHOWN_MAX),
    panels: task.verification === 'validator' ? await panelsOf(db, id) : undefined,
    worker:
      call.caller.kind === 'signer'
        ? await workerOn(db, actor(call.caller, undefined), task)
        : undefined,
  }));
  const { aggregate } = known;
  const { workers, history, record, panels, worker } = more;
  const now = hub.clock.now();
  const next = worker && presentNextFor(hub, aggregate, worker.account, worker);
  const task = presentTask(aggregate, now, next);
  return {
    status: 200,
    body: {
      ...task,
      ...(record !== undefined && { requesterRecord: presentRecord(record) }),
      workers: workers.map(presentAttempt),
      history: history.map(presentEvent),
      panels,
      ...UNTRUSTED_TEXTS,
    },
  };
};
