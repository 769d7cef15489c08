import { writeInside } from './write.ts';
import { defined } from '../../domain/defined.ts';
import { linkOf, type Writer } from '../connection.ts';
import { decideInside } from './batch.ts';
import type { Transaction } from './transaction.ts';

/** Runs a transaction inside a unit of single statements, which takes over its topics and hooks. */
export async function decideIn<T>(tx: Writer, unit: Transaction<T>): Promise<T> {
  const link = linkOf(tx);
  const watched: Transaction<T> = {
    ...unit,
    ...defined({ spender: unit.spender ?? tx.spending }),
    decide(db) {
      const answer = unit.decide(db);
      tx.spending = db.spending;
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
