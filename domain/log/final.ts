import type { Account } from '../account.ts';
import { sha256Hex } from '../digest.ts';
import { iso, type Instant } from '../instant.ts';
import type { ModelReceipt } from '../models/receipt.ts';
import type { Atomic } from '../money.ts';
import type { Receipt } from '../router/receipt.ts';
import type { Dispute } from '../tasks/model.ts';
import { leafHash, type Hash } from '../time/merkle.ts';
import { entryText, receiptText, type LeafKind } from './receipts.ts';

/**
 * Leaves of stored receipts. Each is made of members that the answers show, so the holder of an
 * answer can make the same leaf (choices log.leaves).
 */
export interface LogLeaf {
  readonly kind: LeafKind;
  readonly digest: string;
}

export interface Payout {
  readonly account: Account;
  readonly network: string;
  /** The number of the entry in the account's statement. */
  readonly seq: number;
  readonly at: Instant;
  readonly reason: string;
  readonly amount: string;
  readonly transferId: string;
}

export interface RulingMoney {
  readonly hub: Atomic;
  readonly judges: Atomic;
  readonly arbiter: Atomic;
  readonly worker: Atomic;
  readonly requester: Atomic;
  readonly transferId: string;
}

export function callLeaf(receipt: Receipt): LogLeaf {
  const { at, listingId: agentId, cost, upstream: payment } = receipt;
  return leaf('call', { ...receipt, at: iso(at), agentId, cost: `${cost}`, payment });
}

export function modelLeaf(receipt: ModelReceipt): LogLeaf {
  const { at, usage, held, charged } = receipt;
  const tokens = { inputTokens: usage.input, outputTokens: usage.output, source: usage.source };
  const money = { held: `${held}`, charged: `${charged}` };
  return leaf('model', { ...receipt, ...money, at: iso(at), usage: tokens });
}

export function payoutLeaf(payout: Payout): LogLeaf {
  return leaf('payout', { ...payout, at: iso(payout.at) });
}

export function rulingLeaf(dispute: Dispute, money: RulingMoney): LogLeaf {
  const { at, endedAt } = dispute;
  const { hub, judges, arbiter, worker, requester, transferId } = money;
  const parts = { hub, judges, arbiter, worker, requester };
  const texts = Object.entries(parts).map(([name, amount]) => [name, `${amount}`] as const);
  return leaf('ruling', {
    ...dispute,
    at: iso(at),
    ruledAt: endedAt && iso(endedAt),
    money: { ...Object.fromEntries(texts), transferId },
  });
}

function leaf(kind: LeafKind, receipt: Readonly<Record<string, unknown>>): LogLeaf {
  return { kind, digest: sha256Hex(receiptText(kind, receipt)) };
}

export function hashOfLeaf({ kind, digest }: LogLeaf): Hash {
  return leafHash(Buffer.from(entryText(kind, digest)));
}
