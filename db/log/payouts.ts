import type { Payout } from '../../domain/log/final.ts';
import { PAYOUT_REASONS } from '../../domain/log/receipts.ts';
import { account, signed, text, time, whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

const REASONS = PAYOUT_REASONS.map((reason) => `'${reason}'`).join(', ');
const PAID = statement(`
  SELECT e.account_seq, e.reason, e.delta, e.at, a.name, a.network, t.id
    FROM entries AS e
    JOIN transfers AS t ON t.seq = e.transfer_seq
    JOIN accounts AS a ON a.id = e.account_id
   WHERE e.transfer_seq > ? AND e.transfer_seq <= ? AND e.kind = 'move' AND a.class = 'user'
     AND e.reason IN (${REASONS}) AND (e.delta < 0) = (e.reason = 'withdraw')
     AND coalesce(e.counterparty, '') <> a.name
   ORDER BY e.transfer_seq, e.account_id, e.account_seq`);

export async function payoutsIn(
  db: Reader,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<readonly Payout[]> {
  const rows = await linkOf(db).rows(PAID, [after, to]);
  return rows.map((row) => {
    const delta = signed(row, 'delta');
    return {
      account: account(row, 'name'),
      network: text(row, 'network'),
      seq: whole(row, 'account_seq'),
      at: time(row, 'at'),
      reason: text(row, 'reason'),
      amount: `${delta < 0n ? -delta : delta}`,
      transferId: text(row, 'id'),
    };
  });
}
