import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CommitmentId, TransferId } from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { ChainHash, EvmAddress, Hex } from '../../domain/rails/evm.ts';
import type { Authorization } from '../../domain/x402/payment.ts';
import * as columns from '../batch/columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { addressColumn, hashColumn } from '../rails/columns.ts';
import { shaped, table } from '../batch/table.ts';
import { AUTHORIZED, authorizationOf, authorized } from './authorizations.ts';

/** The hub's own payments for callers over x402; the first unit that locks an open row ends it. */
export interface UpstreamPayment {
  readonly id: string;
  readonly callId: string;
  readonly network: NetworkId;
  /** Who is charged. */
  readonly account: Account;
  /** The token's contract, lower-case. */
  readonly token: EvmAddress;
  readonly version: 1 | 2;
  readonly authorization: Authorization;
  readonly signature: Hex;
  /** The head of the chain when it was signed: it cannot have been used before. */
  readonly fromBlock: number;
  /** The commitment that reserves the caller's money for it. */
  readonly commitment: CommitmentId;
  /** Start of the UTC day whose ceiling it counts against. */
  readonly day: Instant;
  readonly at: Instant;
  readonly end: UpstreamEnd;
}

export type UpstreamEnd =
  /** It may be used at any moment; a job looks after it at `checkAt`. */
  | { readonly state: 'open'; readonly checkAt: Instant }
  | {
      readonly state: 'settled';
      readonly transaction: ChainHash;
      readonly transferId: TransferId;
      readonly at: Instant;
    }
  /** It was not used and never will be: the caller has the money back. */
  | { readonly state: 'returned'; readonly at: Instant };

export interface OpenUpstream extends UpstreamPayment {
  readonly end: Extract<UpstreamEnd, { readonly state: 'open' }>;
}

export const X402_UPSTREAM = shaped(
  table(
    'x402_upstream',
    {
      id: columns.text().key(),
      callId: columns.text(),
      network: columns.network(),
      account: columns.account(),
      token: addressColumn(),
      version: columns.integer<1 | 2>(),
      ...AUTHORIZED,
      signature: columns.text<Hex>(),
      fromBlock: columns.integer(),
      commitment: columns.text<CommitmentId>(),
      day: columns.moment(),
      state: columns.text<UpstreamEnd['state']>(),
      at: columns.moment(),
      checkAt: columns.moment().optional(),
      endedAt: columns.moment().optional(),
      transactionHash: hashColumn().optional(),
      transferId: columns.text<TransferId>().optional(),
    },
    { use: 'single', personal: { apart: 'in the books' } },
  ),
  {
    of({ payer, payTo, amount, validAfter, validBefore, nonce, ...row }): UpstreamPayment {
      const { state, checkAt, endedAt: at, transactionHash, transferId, ...rest } = row;
      return {
        ...rest,
        authorization: authorizationOf({ payer, payTo, amount, validAfter, validBefore, nonce }),
        end: endOf({ state, checkAt, at, transaction: transactionHash, transferId }),
      };
    },
    flat({ authorization, end, ...row }) {
      const { state, checkAt, at, transaction, transferId }: Ended = end;
      const ended = { checkAt, endedAt: at, transactionHash: transaction, transferId };
      return { ...row, ...authorized(authorization), state, ...defined(ended) };
    },
  },
);

interface Ended {
  readonly state: UpstreamEnd['state'];
  readonly checkAt?: Instant | undefined;
  readonly at?: Instant | undefined;
  readonly transaction?: ChainHash | undefined;
  readonly transferId?: TransferId | undefined;
}

function endOf({ state, checkAt, at, transaction, transferId }: Ended): UpstreamEnd {
  if (state === 'open' && checkAt !== undefined) return { state, checkAt };
  if (state === 'returned' && at !== undefined) return { state, at };
  if (at === undefined || transaction === undefined || transferId === undefined) {
    throw new Error('a damaged payment');
  }
  return { state: 'settled', at, transaction, transferId };
}

/** The sum of a day, so that all processes share its ceiling. */
export const X402_UPSTREAM_DAYS = table(
  'x402_upstream_days',
  { network: columns.network().key(), day: columns.moment().key(), amount: columns.amount() },
  { use: 'single', personal: { apart: 'about no account' } },
);

const INSERT = statement(X402_UPSTREAM.insertion);

export async function insertUpstream(tx: Writer, row: OpenUpstream): Promise<void> {
  await linkOf(tx).rows(INSERT, X402_UPSTREAM.cells(row));
}

const LOCK = statement(
  'SELECT * FROM x402_upstream WHERE id = ?',
  'SELECT * FROM x402_upstream WHERE id = ? FOR UPDATE',
);

export async function lockUpstream(tx: Writer, id: string): Promise<UpstreamPayment> {
  const [row] = await linkOf(tx).rows(LOCK, [id]);
  if (row === undefined) throw new Error(`there is no payment ${id}`);
  return X402_UPSTREAM.fromRow(row);
}

const SETTLED = statement(`UPDATE x402_upstream SET state = 'settled', check_at = NULL,
  ended_at = ?, transaction_hash = ?, transfer_id = ? WHERE id = ?`);
const RETURNED = statement(`UPDATE x402_upstream SET state = 'returned', check_at = NULL,
  ended_at = ? WHERE id = ?`);

export async function endUpstreamRow(
  tx: Writer,
  id: string,
  end: Exclude<UpstreamEnd, { readonly state: 'open' }>,
): Promise<void> {
  await (end.state === 'settled'
    ? linkOf(tx).rows(SETTLED, [end.at, end.transaction, end.transferId, id])
    : linkOf(tx).rows(RETURNED, [end.at, id]));
}

const LOOK_AGAIN = statement(
  `UPDATE x402_upstream SET check_at = ? WHERE id = ? AND state = 'open'`,
);

export async function lookAtUpstreamAgain(tx: Writer, id: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(LOOK_AGAIN, [at, id]);
}

const DUE = statement(`SELECT * FROM x402_upstream
  WHERE check_at IS NOT NULL AND check_at <= ? ORDER BY check_at LIMIT ?`);

/** Returns open payments whose processing seems to have stopped. */
export async function dueUpstream(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly UpstreamPayment[]> {
  return (await linkOf(db).rows(DUE, [now, limit])).map(X402_UPSTREAM.fromRow);
}

const COUNT_IN = statement(`${X402_UPSTREAM_DAYS.insertion}
  ON CONFLICT (network, day) DO UPDATE
    SET amount = x402_upstream_days.amount + excluded.amount
    WHERE x402_upstream_days.amount + excluded.amount <= CAST(? AS BIGINT)
  RETURNING 1 AS taken`);

/** Counts an amount into the day of all processes; false when it would go above the ceiling. */
export async function countIntoDay(
  tx: Writer,
  { network: of, day }: Pick<UpstreamPayment, 'network' | 'day'>,
  amount: Atomic,
  max: Atomic,
): Promise<boolean> {
  if (amount > max) return false;
  const cells = X402_UPSTREAM_DAYS.cells({ network: of, day, amount });
  return (await linkOf(tx).rows(COUNT_IN, [...cells, `${max}`])).length === 1;
}

const COUNT_OUT = statement(`UPDATE x402_upstream_days SET amount = amount - CAST(? AS BIGINT)
  WHERE network = ? AND day = ?`);

/** Subtracts a returned payment from the total of its day. */
export async function countOutOfDay(
  tx: Writer,
  { network: of, day, authorization }: UpstreamPayment,
): Promise<void> {
  await linkOf(tx).rows(COUNT_OUT, [`${authorization.value}`, of, day]);
}
