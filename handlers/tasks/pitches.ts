import { pitchesOfTask } from '../../db/tasks/pitches.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { readSettled } from '../../workflows/tasks/due.ts';
import { presentPitch } from './present/pitch.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

export const pitches: Handler<'tasks.pitches'> = async (call, hub) => {
  const { id } = call.path;
  const { limit, after = '' } = call.query;
  const { task } = (await readSettled(hub, id)).aggregate;
  const found = await hub.store.read((db) => pitchesOfTask(db, id, after, limit + 1));
  const page = found.slice(0, limit);
  const last = page.at(-1)?.id;
  return {
    status: 200,
    body: {
      count: page.length,
      pitches: page.map((pitch) => presentPitch(pitch, task)),
      limit,
      ...(found.length > limit && last !== undefined && { nextAfter: last }),
      ...UNTRUSTED_TEXTS,
    },
  };
};
