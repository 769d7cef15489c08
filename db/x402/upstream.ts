import type { Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import {
  commitmentId,
  transferId,
  type CommitmentId,
  type TransferId,
} from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { ChainHash, EvmAddress, Hex } from '../../domain/rails/evm.ts';
import type { Authorization } from '../../domain/x402/payment.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { address, hash, network } from '../rails/columns.ts';

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

const COLUMNS = `id, call_id, network, account, token, version, payer, pay_to, amount,
  valid_after, valid_before, nonce, signature, from_block, commitment, day, state, at, check_at`;
const INSERT = statement(`INSERT INTO x402_upstream (${COLUMNS})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)`);

export async function insertUpstream(tx: Writer, row: OpenUpstream): Promise<void> {
  const { from, to, value, validAfter, validBefore, nonce } = row.authorization;
  await linkOf(tx).rows(INSERT, [
    row.id,
    row.callId,
    row.network,
    row.account,
    row.token,
    row.version,
    from,
    to,
    `${value}`,
    `${validAfter}`,
    `${validBefore}`,
    nonce,
    row.signature,
    row.fromBlock,
    row.commitment,
    row.day,
    row.at,
    row.end.checkAt,
  ]);
}

const LOCK = statement(
  'SELECT * FROM x402_upstream WHERE id = ?',
  'SELECT * FROM x402_upstream WHERE id = ? FOR UPDATE',
);

export async function lockUpstream(tx: Writer, id: string): Promise<UpstreamPayment> {
  return must(await linkOf(tx).rows(LOCK, [id]), id);
}

function must(rows: readonly Row[], id: string): UpstreamPayment {
  const row = column.one(rows);
  if (row === undefined) throw new Error(`there is no payment ${id}`);
  return paymentOf(row);
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
  return (await linkOf(db).rows(DUE, [now, limit])).map(paymentOf);
}

const COUNT_IN = statement(`INSERT INTO x402_upstream_days (network, day, amount)
  VALUES (?, ?, ?) ON CONFLICT (network, day) DO UPDATE
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
  return (await linkOf(tx).rows(COUNT_IN, [of, day, `${amount}`, `${max}`])).length === 1;
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

function paymentOf(row: Row): UpstreamPayment {
  return {
    id: column.text(row, 'id'),
    callId: column.text(row, 'call_id'),
    network: network(row, 'network'),
    account: column.account(row, 'account'),
    token: address(row, 'token'),
    version: column.whole(row, 'version') === 1 ? 1 : 2,
    authorization: {
      from: address(row, 'payer'),
      to: address(row, 'pay_to'),
      value: column.amount(row, 'amount'),
      validAfter: BigInt(column.text(row, 'valid_after')),
      validBefore: BigInt(column.text(row, 'valid_before')),
      nonce: column.text(row, 'nonce') as Hex,
    },
    signature: column.text(row, 'signature') as Hex,
    fromBlock: column.whole(row, 'from_block'),
    commitment: commitmentId(column.text(row, 'commitment')),
    day: column.time(row, 'day'),
    at: column.time(row, 'at'),
    end: endOf(row),
  };
}

function endOf(row: Row): UpstreamEnd {
  const state = column.text(row, 'state');
  if (state === 'open') return { state, checkAt: column.time(row, 'check_at') };
  const at = instant(column.whole(row, 'ended_at'));
  if (state === 'returned') return { state, at };
  if (state !== 'settled') throw new Error('a damaged payment');
  const moved = transferId(column.text(row, 'transfer_id'));
  return { state, at, transaction: hash(row, 'transaction_hash'), transferId: moved };
}
