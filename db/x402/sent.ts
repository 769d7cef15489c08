import { text } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

const STATES = statement('SELECT state FROM chain_transactions WHERE ref_id = ? AND purpose = ?');

/** Returns the states of the transactions that the hot wallet was asked to send for a purpose. */
export async function sentStates(
  db: Reader,
  purpose: string,
  refId: string,
): Promise<readonly string[]> {
  return (await linkOf(db).rows(STATES, [refId, purpose])).map((row) => text(row, 'state'));
}
