import type { Instant } from '../../domain/instant.ts';
import { one, text, time } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';

/** Published when money is held still, or moves again. */
export const LEDGER_PAUSE_TOPIC = 'ledger.pause';

/** The operator's word that no money moves. */
export interface Pause {
  readonly since: Instant;
  readonly reason: string;
}

const READ = statement('SELECT since, reason FROM ledger_pause');
const BEGIN = statement(`INSERT INTO ledger_pause (id, since, reason) VALUES (1, ?, ?)
  ON CONFLICT (id) DO NOTHING RETURNING since`);
const END = statement('DELETE FROM ledger_pause WHERE id = 1 RETURNING since');

export async function readPause(db: Reader): Promise<Pause | undefined> {
  const row = one(await linkOf(db).rows(READ, []));
  return row && { since: time(row, 'since'), reason: text(row, 'reason') };
}

/** False when money is held still already; the first reason stands. */
export async function beginPause(tx: Writer, { since, reason }: Pause): Promise<boolean> {
  tx.publish(LEDGER_PAUSE_TOPIC);
  return (await linkOf(tx).rows(BEGIN, [since, reason])).length > 0;
}

/** False when money was not held still. */
export async function endPause(tx: Writer): Promise<boolean> {
  tx.publish(LEDGER_PAUSE_TOPIC);
  return (await linkOf(tx).rows(END, [])).length > 0;
}
