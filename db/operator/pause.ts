import { integer, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** Published when money is held still, or moves again. */
export const LEDGER_PAUSE_TOPIC = 'ledger.pause';

/** The operator's word that no money moves. */
export const LEDGER_PAUSE = table(
  'ledger_pause',
  { id: integer().key(), since: moment(), reason: text() },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type Pause = Omit<RowIn<typeof LEDGER_PAUSE>, 'id'>;

const READ = statement('SELECT * FROM ledger_pause');
const BEGIN = statement(`${LEDGER_PAUSE.insertion}
  ON CONFLICT (id) DO NOTHING RETURNING since`);
const END = statement('DELETE FROM ledger_pause WHERE id = 1 RETURNING since');

export async function readPause(db: Reader): Promise<Pause | undefined> {
  const row = one(await linkOf(db).rows(READ, []));
  return row && LEDGER_PAUSE.fromRow(row);
}

/** False when money is held still already; the first reason stands. */
export async function beginPause(tx: Writer, pause: Pause): Promise<boolean> {
  tx.publish(LEDGER_PAUSE_TOPIC);
  return (await linkOf(tx).rows(BEGIN, LEDGER_PAUSE.cells({ id: 1, ...pause }))).length > 0;
}

/** False when money was not held still. */
export async function endPause(tx: Writer): Promise<boolean> {
  tx.publish(LEDGER_PAUSE_TOPIC);
  return (await linkOf(tx).rows(END, [])).length > 0;
}
