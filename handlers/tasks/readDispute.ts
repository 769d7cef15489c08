import { need } from '../../db/batch/need.ts';
import { DISPUTES } from '../../db/tasks/disputes.ts';
import { acceptedAttempt } from '../../domain/tasks/model.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentDispute } from './present/dispute.ts';
import { withoutWords } from './present/withheld.ts';
import { noSuchDispute } from '../../workflows/tasks/dispute.ts';
import { readSettledWith } from '../../workflows/tasks/due.ts';
import { readerOf, readingIn, readsOfReading } from '../../workflows/tasks/readers.ts';

export const readDispute: Handler<'tasks.readDispute'> = async (call, hub) => {
  const { id } = call.path;
  const by = readerOf(call.caller);
  const { known, more } = await readSettledWith(hub, id, {
    needs: [need(DISPUTES, id), ...readsOfReading(id, by)],
    read: (db, { aggregate: { task } }) => ({
      stored: db.find(DISPUTES, id) ?? noSuchDispute(),
      reading: readingIn(db, task, by),
    }),
  });
  const { aggregate } = known;
  const { task } = aggregate;
  const { dispute, money } = more.stored;
  const shown = presentDispute(task, dispute, money);
  const body = withoutWords(shown, task, acceptedAttempt(aggregate), more.reading);
  return { status: 200, body };
};
