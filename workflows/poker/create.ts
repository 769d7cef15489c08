import type { Decider } from '../../db/batch/transaction.ts';
import { POKER_TABLES, UNFINISHED_TABLES } from '../../db/poker/tables.ts';
import { openTable, type NewTable, type Refused } from '../../domain/poker/opening.ts';
import { Session } from '../../domain/poker/session.ts';
import { TABLES_PER_CREATOR_MAX, type Table } from '../../domain/poker/table.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { CLOCK_TOPIC, putEvents } from './commit.ts';
import { tableSecrets } from './secrets.ts';

const HINTS: Readonly<Record<Refused['refused'], (field: string) => string>> = {
  'below-minimum': (field) => `Send the call again with more in ${field}.`,
  'buyin-range': (field) => `Send the call again with less in ${field}.`,
  'not-together': () =>
    'Send the call again with amounts in this order, none above the next: smallBlind, bigBlind, minBuyIn, maxBuyIn.',
};

/** Free, and without players; the first commitment stands from the first moment. */
export function createTable(db: Decider, hub: Hub, wanted: NewTable): Table {
  const { creator } = wanted;
  const count = db.find(UNFINISHED_TABLES, creator)?.count ?? 0;
  if (count >= TABLES_PER_CREATOR_MAX) {
    refuse('ceiling-reached', {
      error: `An account has at most ${TABLES_PER_CREATOR_MAX} unfinished tables that it created.`,
      hint: `Sit at one of them: \`GET /api/v1/games/poker/tables?state=open\`. An empty cash table closes after 30 minutes, a tournament that does not fill after 24 hours.`,
    });
  }
  const secrets = tableSecrets(hub);
  const opened = openTable(wanted, db.newId(hub.ids), hub.clock.now(), secrets.fresh());
  if ('refused' in opened) {
    const { refused, why, field } = opened;
    return refuse(refused, { error: why, field, hint: HINTS[refused](field) });
  }
  const session = new Session(opened, hub.clock.now(), secrets);
  session.emit('created');
  const { table, events } = session;
  db.insert(POKER_TABLES, table.id, table);
  db.put(UNFINISHED_TABLES, creator, { creator, count: count + 1 });
  putEvents(db, table.id, events);
  db.publish(CLOCK_TOPIC);
  return table;
}
