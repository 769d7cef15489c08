import type { Reader } from '../connection.ts';

/** One line of the books that a trial would have added. */
export interface TrialEntry {
  readonly transferId: string;
  readonly account: string;
  readonly kind: 'move' | 'hold' | 'release';
  readonly reason: string;
  readonly counterparty?: string;
  readonly delta: string;
  readonly network: string;
  readonly asset: 'USDC';
}

/** Transfers of one call; a settlement posts a handful. */
const TRANSFERS_MAX = 100;

export async function entriesOf(
  { knex }: Reader,
  transferIds: readonly string[],
): Promise<readonly TrialEntry[]> {
  if (transferIds.length === 0) return [];
  const rows = await knex('entries')
    .join('transfers', 'transfers.seq', 'entries.transfer_seq')
    .join('accounts', 'accounts.id', 'entries.account_id')
    .whereIn('transfers.id', transferIds.slice(0, TRANSFERS_MAX))
    .orderBy(['transfer_seq', 'account_seq', 'account_id'])
    .select<Row[]>({
      transferId: 'transfers.id',
      account: 'accounts.name',
      kind: 'entries.kind',
      reason: 'entries.reason',
      counterparty: 'entries.counterparty',
      delta: 'entries.delta',
      network: 'transfers.network',
      asset: 'transfers.asset',
    });
  return rows.map(({ counterparty, delta, ...row }) => ({
    ...row,
    ...(counterparty !== null && { counterparty }),
    delta: String(delta),
  }));
}

interface Row extends Omit<TrialEntry, 'delta' | 'counterparty'> {
  readonly counterparty: string | null;
  readonly delta: number | string;
}
