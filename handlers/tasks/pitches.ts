import { pitchesOfTask } from '../../db/tasks/pitches.ts';
import type { Pitch } from '../../domain/tasks/model.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { readSettled } from '../../workflows/tasks/due.ts';
import { PRIVATE_TEXT, readerOf, readingOf } from '../../workflows/tasks/readers.ts';
import { envelopeOf, jsonBytes, readPage } from '../page.ts';
import { presentPitch } from './present/pitch.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

/** Bytes that a pitch has at most beside its plan. */
const PITCH_BYTES = 2_048;

export const pitches: Handler<'tasks.pitches'> = async (call, hub) => {
  const { id } = call.path;
  const { limit, cursor: after = '' } = call.query;
  const { task } = (await readSettled(hub, id)).aggregate;
  const reading = await hub.store.read((db) => readingOf(db, task, readerOf(call.caller)));
  const shownTo = (pitch: Pitch): Pitch =>
    reading.seesAll || pitch.worker === reading.by ? pitch : { ...pitch, plan: PRIVATE_TEXT };
  const page = await hub.store.read((db) =>
    readPage<Pitch>({
      limit,
      read: (last, count) => pitchesOfTask(db, id, last?.id ?? after, count),
      weigh: ({ plan }) => PITCH_BYTES + jsonBytes(plan),
    }),
  );
  return {
    status: 200,
    body: {
      ...envelopeOf(page, limit, ({ id }) => id),
      pitches: page.rows.map((pitch) => presentPitch(shownTo(pitch), task)),
      ...UNTRUSTED_TEXTS,
    },
  };
};
