import { canonical } from '../json.ts';

/**
 * The leaves of the transparency log (choices log.leaves). A leaf discloses its kind and a digest; the
 * digest is of members that the holder of a receipt has, one of which is an id with 74 random bits,
 * so no other party finds the receipt by trying. No clock, hash or platform: browsers run this as well.
 */
export type LeafKind = 'call' | 'model' | 'payout' | 'ruling';
export const LEAF_KINDS = ['call', 'model', 'payout', 'ruling'] as const satisfies LeafKind[];

type Receipt = Readonly<Record<string, unknown>>;

/** The members that never change once the receipt is final. */
const MEMBERS: Readonly<Record<LeafKind, readonly string[]>> = {
  call: [
    'id',
    'at',
    'caller',
    'operation',
    'agentId',
    'endpoint',
    'outcome',
    'cost',
    'network',
    'durationMs',
    'responseHash',
    'responseBytes',
    'paidTo',
    'transferId',
  ],
  model: [
    'id',
    'at',
    'payer',
    'model',
    'outcome',
    'finishReason',
    'usage',
    'held',
    'charged',
    'network',
    'durationMs',
    'servedBy',
    'transferId',
  ],
  payout: ['account', 'network', 'seq', 'at', 'reason', 'amount', 'transferId'],
  ruling: [
    'taskId',
    'raisedBy',
    'at',
    'arbiter',
    'state',
    'verdict',
    'workerShareBps',
    'ruledAt',
    'money',
  ],
};

/** The reasons of entries that pay an account for work or play, or pay it out of the hub. */
export const PAYOUT_REASONS = [
  'task.reward',
  'task.fee.judges',
  'dispute.arbiter',
  'bonus.welcome',
  'call.charge',
  'market.judge',
  'bet.won',
  'poker.prize',
  'poker.cashout',
  'withdraw',
] as const;

/** The text whose SHA-256 is in the leaf: a prefix for the kind, then canonical JSON (RFC 8785). */
export function receiptText(kind: LeafKind, receipt: Receipt): string {
  // A payment on the chain may settle later, so its amount is not part of the final cost.
  const isOpen = kind === 'call' && receipt['payment'] !== undefined;
  const names = MEMBERS[kind].filter((name) => !(isOpen && name === 'cost'));
  const known = names.flatMap((name) =>
    receipt[name] === undefined ? [] : [[name, receipt[name]] as const],
  );
  return `hub/log/${kind}/v1\n${canonical(Object.fromEntries(known))}`;
}

/** The entry of the log; its hash is the leaf. */
export function entryText(kind: LeafKind, digest: string): string {
  return canonical({ v: 1, kind, digest });
}

export interface Found {
  readonly kind: LeafKind;
  readonly text: string;
}

/** A page of receipts or of a statement has at most this many. */
const FOUND_MAX = 200;

/** Finds final receipts in an answer: one, a page, a call's result, a dispute, paying entries. */
export function receiptsIn(value: unknown): readonly Found[] {
  if (!isObject(value)) return [];
  const { receipts, entries, receipt, owner, network } = value;
  if (Array.isArray(receipts)) return receipts.slice(0, FOUND_MAX).flatMap(receiptsIn);
  if (Array.isArray(entries)) {
    const lines = entries.slice(0, FOUND_MAX).filter((line) => isPayout(line, owner));
    return lines.flatMap((line) => found('payout', { ...line, account: owner, network }));
  }
  if (isObject(receipt)) return receiptsIn(receipt);
  const kind = kindOf(value);
  return kind === undefined ? [] : found(kind, value);
}

function kindOf(value: Receipt): LeafKind | undefined {
  if (value['outcome'] === 'running') return undefined;
  if (has(value, ['id', 'caller', 'operation', 'outcome'])) return 'call';
  if (has(value, ['id', 'payer', 'model', 'outcome'])) return 'model';
  if (has(value, ['account', 'transferId', 'seq', 'reason', 'amount'])) return 'payout';
  return has(value, ['taskId', 'raisedBy', 'ruledAt']) ? 'ruling' : undefined;
}

function isPayout(line: unknown, owner: unknown): line is Receipt {
  if (!isObject(line) || line['counterparty'] === owner) return false;
  const { reason, direction } = line;
  const wanted = reason === 'withdraw' ? 'out' : 'in';
  return PAYOUT_REASONS.some((each) => each === reason) && direction === wanted;
}

/** None for a text that the hub never wrote: its members are texts, numbers and flat objects. */
function found(kind: LeafKind, receipt: Receipt): readonly Found[] {
  const isPlain = MEMBERS[kind].every((name) => {
    const value = receipt[name];
    if (value === undefined || isScalar(value)) return true;
    return isObject(value) && Object.values(value).every(isScalar);
  });
  return isPlain ? [{ kind, text: receiptText(kind, receipt) }] : [];
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isScalar(value: unknown): boolean {
  return typeof value === 'string' ? !LONE_SURROGATE.test(value) : Number.isSafeInteger(value);
}

function has(value: Receipt, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(value, name));
}

function isObject(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
