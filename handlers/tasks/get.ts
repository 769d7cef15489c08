import { need } from '../../db/batch/need.ts';
import { SHOWN_AMENDMENTS } from '../../db/tasks/amendments.ts';
import { requesterRecord, REQUESTER_RECORD } from '../../db/tasks/requesterRecord.ts';
import { SHOWN_ATTEMPTS, SHOWN_EVENTS } from '../../db/tasks/shown.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentAmendment } from './present/amendment.ts';
import { panelsOf } from './present/panel.ts';
import { readSettledWith } from '../../workflows/tasks/due.ts';
import { presentNextFor } from '../../workflows/tasks/nextActions.ts';
import { readerOf, readingIn, readsOfReading } from '../../workflows/tasks/readers.ts';
import { actor, readsOfWorker, workerIn } from '../../workflows/tasks/worker.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import { presentAttempt, presentEvent, presentRecord, presentTask } from './present/task.ts';
import { withoutBrief, withoutClarification, withoutReasons } from './present/withheld.ts';

export const get: Handler<'tasks.get'> = async (call, hub) => {
  const { id } = call.path;
  const on = { taskId: id };
  const by = readerOf(call.caller);
  const who = call.caller.kind === 'signer' ? actor(call.caller, undefined) : undefined;
  const { known, more } = await readSettledWith(hub, id, {
    needs: [
      need(REQUESTER_RECORD, id),
      need(SHOWN_ATTEMPTS, id),
      need(SHOWN_EVENTS, id),
      need(SHOWN_AMENDMENTS, id),
      ...readsOfReading(id, by),
      ...(who === undefined ? [] : readsOfWorker(who, on)),
    ],
    read: (db, { aggregate: { task } }) => ({
      reading: readingIn(db, task, by),
      record: requesterRecord(db, id),
      workers: db.list(SHOWN_ATTEMPTS, id).map(({ attempt }) => attempt),
      history: db.list(SHOWN_EVENTS, id),
      amendments: db.list(SHOWN_AMENDMENTS, id),
      panels: task.verification === 'validator' ? panelsOf(db, id) : undefined,
      worker: who && workerIn(db, who, task, on).worker,
    }),
  });
  const { aggregate } = known;
  const { workers, history, record, panels, worker, reading, amendments } = more;
  const now = hub.clock.now();
  const next = worker && presentNextFor(hub, aggregate, worker.account, worker);
  const task = withoutBrief(presentTask(aggregate, now, next), aggregate.task, reading);
  const done = {
    workers: workers.map(presentAttempt),
    history: history.map(presentEvent),
    panels,
  };
  return {
    status: 200,
    body: {
      ...task,
      ...(record !== undefined && { requesterRecord: presentRecord(record) }),
      ...withoutReasons(done, aggregate.task, reading),
      ...(amendments.length > 0 && {
        amendments: amendments
          .map((each) => presentAmendment(each, aggregate, by))
          .map((each) => withoutClarification(each, aggregate.task, reading)),
      }),
      ...UNTRUSTED_TEXTS,
    },
  };
};
