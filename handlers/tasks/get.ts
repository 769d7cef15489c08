import { attemptsOfTask } from '../../db/tasks/attempts.ts';
import { eventsOfTask } from '../../db/tasks/events.ts';
import type { Handler } from '../../server/handler.ts';
import { readSettled } from './_due.ts';
import { presentAttempt, presentEvent, presentTask } from './_present.ts';

const SHOWN_MAX = 500;

export const get: Handler<'tasks.get'> = async (call, hub) => {
  const { id } = call.path;
  const { play } = await readSettled(hub, id);
  const { workers, history } = await hub.store.read(async (db) => ({
    workers: await attemptsOfTask(db, id, SHOWN_MAX),
    history: await eventsOfTask(db, id, SHOWN_MAX),
  }));
  return {
    status: 200,
    body: {
      ...presentTask(play, hub.clock.now()),
      workers: workers.map(presentAttempt),
      history: history.map(presentEvent),
    },
  };
};
