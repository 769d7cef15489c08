import assert from 'node:assert/strict';
import { pay, type Payment } from './payers.ts';

export interface Verified {
  readonly acknowledged: number;
  readonly unanswered: number;
}

type Rows = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const LANES = 32;

/**
 * Compares what the payers were answered with the journal: each acknowledged payment is there once,
 * each key answers the same when it is sent again, and nothing else was paid.
 */
export async function verify(
  sent: readonly Payment[],
  urls: readonly string[],
  rows: Rows,
): Promise<Verified> {
  const acknowledged = sent.filter(({ transferId }) => transferId !== undefined);
  const before = await journal(rows);
  const lost = acknowledged.filter(({ transferId = '' }) => before.get(transferId) !== 2);
  assert.equal(lost.length, 0, `${lost.length} acknowledged payments are not once in the journal`);
  const ids = new Set(acknowledged.map(({ transferId }) => transferId));
  assert.equal(ids.size, acknowledged.length, 'two payments were answered with one transfer');
  const waiting = [...sent];
  const lane = async (_: unknown, n: number): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { status, body } = await pay(urls[n % urls.length] ?? '', next);
      assert.equal(status, 200, JSON.stringify(body));
      if (next.transferId === undefined) continue;
      assert.deepEqual([body['transferId'], body['repeated']], [next.transferId, true]);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  assert.equal((await journal(rows)).size, sent.length, 'each key paid once, and nothing else did');
  return { acknowledged: ids.size, unanswered: sent.length - ids.size };
}

/** The payments of the journal, each with the number of its entries. */
async function journal(rows: Rows): Promise<ReadonlyMap<string, number>> {
  const found = await rows(`SELECT t.id, count(e.transfer_seq) AS entries FROM transfers t
    LEFT JOIN entries e ON e.transfer_seq = t.seq WHERE t.event = 'wallet.pay' GROUP BY t.id`);
  return new Map(found.map(({ id, entries }) => [String(id), Number(entries)]));
}
