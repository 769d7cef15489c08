import type { NetworkId, NetworkKind } from '../../domain/network.ts';
import { amount, flag, integer, network, oneOf, text } from '../batch/columns.ts';
import { table as batchTable, type RowIn } from '../batch/table.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { table } from '../batch/table.ts';

const KINDS = ['real', 'test', 'play'] as const satisfies readonly NetworkKind[];

export const NETWORKS = table(
  'networks',
  {
    id: network().key(),
    kind: oneOf(KINDS),
    asset: text(),
    decimals: integer(),
    chainId: integer().orNull(),
    /** Blocks after which a deposit counts. */
    confirmations: integer(),
    /** Deposits are watched for on a chain. */
    watched: flag(),
    faucet: flag(),
    /** Its money may buy model calls. */
    buysModels: flag(),
    /** Null where nothing can be withdrawn. */
    minWithdraw: amount().orNull(),
    withdrawFee: amount().orNull(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type Network = RowIn<typeof NETWORKS>;

const ALL = statement('SELECT * FROM networks ORDER BY id');

export async function networks(db: Reader): Promise<readonly Network[]> {
  return (await linkOf(db).rows(ALL, [])).map(NETWORKS.fromRow);
}

/** Every payment asks for the kind, so it takes the narrow path. */
export const NETWORK_KINDS = batchTable(
  'networks',
  { id: network().key(), kind: oneOf(KINDS).fixed() },
  { as: 'network_kinds', use: 'read' },
);

const KIND = statement('SELECT id, kind FROM networks WHERE id = ?');

export async function kindOf(db: Reader, id: NetworkId): Promise<NetworkKind> {
  const [row] = await linkOf(db).rows(KIND, [id]);
  if (row === undefined) throw new Error(`no network is named ${id}`);
  return NETWORK_KINDS.fromRow(row).kind;
}
