import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TransferId } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Authorization } from '../../domain/x402/payment.ts';
import type { ChainHash, EvmAddress, Hex } from '../../domain/rails/evm.ts';
import * as columns from '../batch/columns.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { addressColumn, hashColumn } from '../rails/columns.ts';
import { shaped, table } from '../batch/table.ts';
import { AUTHORIZED, authorizationOf, authorized } from './authorizations.ts';

/** Incoming payments over x402. The transaction that locks an open row ends it. */
export interface IncomingPayment {
  readonly id: string;
  readonly network: NetworkId;
  /** The token's contract, lower-case. */
  readonly token: EvmAddress;
  readonly version: 1 | 2;
  readonly authorization: Authorization;
  readonly signature: Hex;
  /** Who is credited. */
  readonly account: Account;
  readonly operation: string;
  /** Digest of the once-only request that it paid for; absent when the request had no key. */
  readonly requestDigest?: string;
  /** It paid from what the wallet had left and was not sent; credited if the chain shows it used. */
  readonly isFromBalance: boolean;
  /** The head of the chain when it was reserved: it cannot have been settled before. */
  readonly fromBlock: number;
  readonly at: Instant;
  /** When a job looks after it, while it is open. */
  readonly checkAt?: Instant;
  /** Why its call was refused, in x402's words. It stays open until its authorization has ended. */
  readonly declined?: string;
  readonly end: PaymentEnd;
}

type PaymentEnd =
  | { readonly state: 'reserved' | 'settling' }
  | {
      readonly state: 'settled';
      readonly transaction: ChainHash;
      readonly transferId: TransferId;
      readonly at: Instant;
    }
  | { readonly state: 'refused'; readonly fault: string; readonly at: Instant };

export interface OpenPayment extends IncomingPayment {
  readonly checkAt: Instant;
}

export const X402_PAYMENTS = shaped(
  table(
    'x402_payments',
    {
      id: columns.text().key(),
      network: columns.network(),
      token: addressColumn(),
      ...AUTHORIZED,
      version: columns.integer<1 | 2>(),
      signature: columns.text<Hex>(),
      account: columns.account(),
      operation: columns.text(),
      requestDigest: columns.text().optional(),
      fromBlock: columns.integer(),
      state: columns.text<PaymentEnd['state']>(),
      fault: columns.text().optional(),
      at: columns.moment(),
      checkAt: columns.moment().optional(),
      endedAt: columns.moment().optional(),
      transactionHash: hashColumn().optional(),
      transferId: columns.text<TransferId>().optional(),
      fromBalance: columns.flag(),
      declined: columns.text().optional(),
    },
    {
      use: 'single',
      personal: {
        owner: 'account',
        order: ['network', 'id'],
        stays: 'The books and their seals need every entry.',
      },
    },
  ),
  {
    of({ payer, payTo, amount, validAfter, validBefore, nonce, ...row }): IncomingPayment {
      const { fromBalance, state, fault, endedAt: at, transactionHash, transferId, ...rest } = row;
      return {
        ...rest,
        authorization: authorizationOf({ payer, payTo, amount, validAfter, validBefore, nonce }),
        isFromBalance: fromBalance,
        end: endOf({ state, fault, at, transaction: transactionHash, transferId }),
      };
    },
    flat({ authorization, isFromBalance: fromBalance, end, ...row }) {
      const { state, fault, transaction, transferId, at }: Ended = end;
      const ended = { fault, transactionHash: transaction, transferId, endedAt: at };
      return { ...row, ...authorized(authorization), fromBalance, state, ...defined(ended) };
    },
  },
);

interface Ended {
  readonly state: PaymentEnd['state'];
  readonly fault?: string | undefined;
  readonly at?: Instant | undefined;
  readonly transaction?: ChainHash | undefined;
  readonly transferId?: TransferId | undefined;
}

function endOf({ state, fault, at, transaction, transferId }: Ended): PaymentEnd {
  if (state === 'reserved' || state === 'settling') return { state };
  if (state === 'refused' && at !== undefined && fault !== undefined) return { state, at, fault };
  if (at === undefined || transaction === undefined || transferId === undefined) {
    throw new Error('a damaged x402 payment');
  }
  return { state: 'settled', at, transaction, transferId };
}

/** Nothing is written when the authorization is known. */
const RESERVE = statement(`${X402_PAYMENTS.insertion}
  ON CONFLICT (network, token, payer, nonce) DO NOTHING RETURNING 1 AS taken`);

/** Keeps the authorization for this request; false when it was brought before. */
export async function reservePayment(tx: Writer, payment: OpenPayment): Promise<boolean> {
  return (await linkOf(tx).rows(RESERVE, X402_PAYMENTS.cells(payment))).length === 1;
}

const FIND = statement(`SELECT * FROM x402_payments
  WHERE network = ? AND token = ? AND payer = ? AND nonce = ?`);

export async function findPayment(
  db: Reader,
  {
    network,
    token,
    authorization: { from, nonce },
  }: Pick<IncomingPayment, 'network' | 'token' | 'authorization'>,
): Promise<IncomingPayment | undefined> {
  const row = one(await linkOf(db).rows(FIND, [network, token, from, nonce]));
  return row && X402_PAYMENTS.fromRow(row);
}

const LOCK = statement(
  `SELECT * FROM x402_payments WHERE id = ? AND state IN ('reserved', 'settling')`,
  `SELECT * FROM x402_payments WHERE id = ? AND state IN ('reserved', 'settling') FOR UPDATE`,
);

/** Returns the payment locked while it is open, or undefined if it has ended. */
export async function lockOpenPayment(
  tx: Writer,
  id: string,
): Promise<IncomingPayment | undefined> {
  const row = one(await linkOf(tx).rows(LOCK, [id]));
  return row && X402_PAYMENTS.fromRow(row);
}

const SETTLING = statement(`UPDATE x402_payments SET state = 'settling', check_at = ?
  WHERE id = ? AND state = 'reserved' AND declined IS NULL RETURNING 1 AS taken`);

/** Before it goes to the chain; false when it was declined or ended in the meantime. */
export async function beginSettling(tx: Writer, id: string, checkAt: Instant): Promise<boolean> {
  return (await linkOf(tx).rows(SETTLING, [checkAt, id])).length === 1;
}

const DECLINED = statement(`UPDATE x402_payments SET declined = ?, check_at = ?
  WHERE id = ? AND state = 'reserved'`);

/** Records why the call of a payment was refused; the payment itself stays open. */
export async function declinePayment(
  tx: Writer,
  id: string,
  { fault, checkAt }: { readonly fault: string; readonly checkAt: Instant },
): Promise<void> {
  await linkOf(tx).rows(DECLINED, [fault, checkAt, id]);
}

const SETTLED = statement(`UPDATE x402_payments SET state = 'settled', check_at = NULL,
  ended_at = ?, transaction_hash = ?, transfer_id = ? WHERE id = ?`);

export async function endSettled(
  tx: Writer,
  id: string,
  end: { readonly transaction: ChainHash; readonly transferId: TransferId; readonly at: Instant },
): Promise<void> {
  await linkOf(tx).rows(SETTLED, [end.at, end.transaction, end.transferId, id]);
}

const REFUSED = statement(`UPDATE x402_payments SET state = 'refused', check_at = NULL,
  ended_at = ?, fault = ? WHERE id = ? AND state IN ('reserved', 'settling')
  RETURNING 1 AS taken`);

/** Ends a payment that can no longer settle. Returns false if it had ended before. */
export async function endRefused(
  tx: Writer,
  id: string,
  end: { readonly fault: string; readonly at: Instant },
): Promise<boolean> {
  return (await linkOf(tx).rows(REFUSED, [end.at, end.fault, id])).length === 1;
}

const LOOK_AGAIN = statement(
  'UPDATE x402_payments SET check_at = ? WHERE id = ? AND check_at IS NOT NULL',
);

export async function lookAgain(tx: Writer, id: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(LOOK_AGAIN, [at, id]);
}

const due = (declined: 'IS NULL' | 'IS NOT NULL') =>
  statement(`SELECT * FROM x402_payments WHERE check_at IS NOT NULL AND check_at <= ?
    AND declined ${declined} ORDER BY check_at LIMIT ?`);
const DUE = due('IS NULL');
const DUE_DECLINED = due('IS NOT NULL');

/** Returns open payments to look after; `isDeclined` picks those whose call was refused. */
export async function duePayments(
  db: Reader,
  { now, isDeclined, limit }: { readonly now: Instant; isDeclined: boolean; limit: number },
): Promise<readonly IncomingPayment[]> {
  return (await linkOf(db).rows(isDeclined ? DUE_DECLINED : DUE, [now, limit])).map(
    X402_PAYMENTS.fromRow,
  );
}

const FORGET = statement(`DELETE FROM x402_payments WHERE id IN (
  SELECT id FROM x402_payments WHERE state = 'refused' AND ended_at < ?
    AND (length(valid_before) < ? OR (length(valid_before) = ? AND valid_before < ?))
  ORDER BY ended_at LIMIT ?) RETURNING id`);

/** Drops refused ones whose authorization has lapsed, so that it can never come again. */
export async function forgetRefused(tx: Writer, before: Instant, limit: number): Promise<number> {
  const second = `${Math.floor(before / 1000)}`;
  const cells = [before, second.length, second.length, second, limit];
  return (await linkOf(tx).rows(FORGET, cells)).length;
}
