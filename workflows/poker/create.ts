import { insertEvents, saveTable, unfinishedOf } from '../../db/poker/tables.ts';
import { lockWorker } from '../../db/tasks/links.ts';
import type { Writer } from '../../db/store.ts';
import { openTable, type NewTable, type Refused } from '../../domain/poker/opening.ts';
import { Session } from '../../domain/poker/session.ts';
import { TABLES_PER_CREATOR_MAX, type Table } from '../../domain/poker/table.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { CLOCK_TOPIC } from './commit.ts';
import { tableSecrets } from './secrets.ts';

const HINTS: Readonly<Record<Refused['refused'], (field: string) => string>> = {
  'below-minimum': (field) => `Send the call again with more in ${field}.`,
  'buyin-range': (field) => `Send the call again with less in ${field}.`,
  'not-together': () =>
    'Send the call again with amounts in this order, none above the next: smallBlind, bigBlind, minBuyIn, maxBuyIn.',
};

/** Free, and it seats nobody; the first commitment stands from the first moment. */
export async function createTable(tx: Writer, hub: Hub, wanted: NewTable): Promise<Table> {
  await lockWorker(tx, wanted.creator);
  if ((await unfinishedOf(tx, wanted.creator)) >= TABLES_PER_CREATOR_MAX) {
    refuse('ceiling-reached', {
      error: `An account has at most ${TABLES_PER_CREATOR_MAX} unfinished tables that it created.`,
      hint: `Sit at one of them: \`GET /api/v1/games/poker/tables?state=open\`. An empty cash table closes after 30 minutes, a tournament that does not fill after 24 hours.`,
    });
  }
  const secrets = tableSecrets(hub);
  const opened = openTable(wanted, hub.ids.uuid(), hub.clock.now(), secrets.fresh());
  if ('refused' in opened) {
    const { refused, why, field } = opened;
    return refuse(refused, { error: why, field, hint: HINTS[refused](field) });
  }
  const session = new Session(opened, hub.clock.now(), secrets);
  session.emit('created');
  const { table, events } = session;
  await saveTable(tx, table);
  await insertEvents(tx, table.id, events);
  tx.publish(CLOCK_TOPIC);
  return table;
}
