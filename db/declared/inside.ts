import { linkOf, type Link, type Writer } from '../connection.ts';
import { isStale, writeEffects as writeOnPostgres } from '../postgresBatch.ts';
import { writeEffects as writeOnSqlite } from '../sqliteBatch.ts';
import { decideInside } from './batch.ts';
import type { DeclaredUnit } from './unit.ts';
import type { Effect } from './workingSet.ts';

/**
 * Decides a declared unit inside a free one, whose transaction it joins: what both kinds of callers
 * do is written once. What it posts, publishes and does after the commit is the free unit's.
 */
export async function decideIn<T>(tx: Writer, unit: DeclaredUnit<T>): Promise<T> {
  const link = linkOf(tx);
  const watched: DeclaredUnit<T> = {
    ...unit,
    decide(db) {
      const answer = unit.decide(db);
      tx.posted.push(...db.posted);
      return answer;
    },
  };
  const { ended, topics, noted, hooks } = await decideInside(link, watched, tx.ledger, (effects) =>
    writeInside(link, effects),
  );
  if (!ended.ok) throw ended.error;
  for (const topic of topics) tx.publish(topic);
  tx.noted.push(...noted);
  for (const hook of hooks) tx.afterCommit(hook);
  // The answer is what this unit's own `decide` gave.
  return ended.answer as T;
}

/**
 * Another transaction wrote a row after this one had read it. Nothing is committed, and the whole
 * transaction can run again.
 */
export class RowsChanged extends Error {
  override readonly name = 'RowsChanged';
}

/**
 * Writes effects inside a transaction that is under way.
 * @throws RowsChanged on PostgreSQL, where rows that do not exist yet cannot be locked.
 */
export async function writeInside(link: Link, effects: readonly Effect[]): Promise<void> {
  if (link.dialect === 'sqlite') return writeOnSqlite(link, effects);
  try {
    await writeOnPostgres(link, effects);
  } catch (error) {
    if (!isStale(error)) throw error;
    throw new RowsChanged('rows changed between the read and the write', { cause: error });
  }
}
