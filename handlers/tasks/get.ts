import { attemptsOfTask } from '../../db/tasks/attempts.ts';
import { eventsOfTask } from '../../db/tasks/events.ts';
import { requesterRecord } from '../../db/tasks/requesterRecord.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { panelsOf } from './present/panel.ts';
import { readSettled } from '../../workflows/tasks/due.ts';
import { presentAttempt, presentEvent, presentRecord, presentTask } from './present/task.ts';

const SHOWN_MAX = 500;

export const get: Handler<'tasks.get'> = async (call, hub) => {
  const { id } = call.path;
  const { aggregate } = await readSettled(hub, id);
  const { requester, reward } = aggregate.task;
  const { workers, history, record, panels } = await hub.store.read(async (db) => ({
    record: reward && (await requesterRecord(db, requester, reward.network)),
    workers: await attemptsOfTask(db, id, SHOWN_MAX),
    history: await eventsOfTask(db, id, SHOWN_MAX),
    panels: aggregate.task.verification === 'validator' ? await panelsOf(db, id) : undefined,
  }));
  return {
    status: 200,
    body: {
      ...presentTask(aggregate, hub.clock.now()),
      ...(record !== undefined && { requesterRecord: presentRecord(record) }),
      workers: workers.map(presentAttempt),
      history: history.map(presentEvent),
      ...(panels !== undefined && { panels }),
    },
  };
};
