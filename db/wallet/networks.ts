import { parseNetworkId, type NetworkId, type NetworkKind } from '../../domain/network.ts';
import type { Atomic } from '../../domain/money.ts';
import { network as idColumn, oneOf } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import { amountOrNull, flag, one, text, whole, wholeOrNull } from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';

export interface Network {
  readonly id: NetworkId;
  readonly kind: NetworkKind;
  readonly asset: string;
  readonly decimals: number;
  readonly chainId: number | null;
  /** Blocks after which a deposit counts. */
  readonly confirmations: number;
  /** Deposits are watched for on a chain. */
  readonly watched: boolean;
  readonly faucet: boolean;
  /** Its money may buy model calls. */
  readonly buysModels: boolean;
  /** Null where nothing can be withdrawn. */
  readonly minWithdraw: Atomic | null;
  readonly withdrawFee: Atomic | null;
}

export async function networks(db: Reader): Promise<readonly Network[]> {
  const rows: readonly Row[] = await db.knex<Row>('networks').orderBy('id');
  return rows.map(network);
}

export const NETWORK_KINDS = table(
  'networks',
  { id: idColumn().key(), kind: oneOf(['real', 'test', 'play']).fixed() },
  { personal: { apart: 'about no account' }, as: 'network_kinds', use: 'read' },
);

const KIND = statement('SELECT kind FROM networks WHERE id = ?');

/** The kind of one network; every payout asks, so it takes the narrow path. */
export async function kindOf(db: Reader, id: NetworkId): Promise<NetworkKind> {
  const row = one(await linkOf(db).rows(KIND, [id]));
  if (row === undefined) throw new Error(`no network is named ${id}`);
  return kind(text(row, 'kind'));
}

function network(row: Row): Network {
  const id = parseNetworkId(text(row, 'id'));
  if (id === undefined) throw new Error(`not a network: ${text(row, 'id')}`);
  return {
    id,
    kind: kind(text(row, 'kind')),
    asset: text(row, 'asset'),
    decimals: whole(row, 'decimals'),
    chainId: wholeOrNull(row, 'chain_id'),
    confirmations: whole(row, 'confirmations'),
    watched: flag(row, 'watched'),
    faucet: flag(row, 'faucet'),
    buysModels: flag(row, 'buys_models'),
    minWithdraw: amountOrNull(row, 'min_withdraw'),
    withdrawFee: amountOrNull(row, 'withdraw_fee'),
  };
}

function kind(found: string): NetworkKind {
  if (found === 'real' || found === 'test' || found === 'play') return found;
  throw new Error(`not a kind of network: ${found}`);
}
