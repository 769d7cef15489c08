import { strict as assert } from 'node:assert';
import { accountClass, type Account } from './account.ts';
import { familyOf } from './ledger/reasons.ts';
import type {
  Applied,
  Balance,
  Capture,
  Commitment,
  CommitmentId,
  Entry,
  Hold,
  InsufficientFunds,
  Move,
  Release,
  Transfer,
} from './ledger/transfer.ts';
import { AMOUNT_MAX, atomic, BALANCE_MAX, type Atomic } from './money.ts';
import { defined } from './defined.ts';

/**
 * Applies a transfer to balances. Moves carry money between accounts, so none is made or lost (I1);
 * held is the remainder of open commitments (I3); only the outside may overspend (I4); only in/out
 * reasons touch it (I7). Too little money is an answer; other breaks are bugs and throw.
 */
export function apply(
  balances: ReadonlyMap<Account, Balance>,
  commitments: ReadonlyMap<CommitmentId, Commitment>,
  transfer: Transfer,
): Applied | InsufficientFunds {
  const sheet = new Sheet(balances, commitments, transfer);
  for (const step of transfer.steps) {
    switch (step.verb) {
      case 'move':
        sheet.move(step);
        break;
      case 'hold':
        sheet.hold(step);
        break;
      case 'release':
        sheet.release(step);
        break;
      case 'capture':
        sheet.capture(step);
        break;
    }
  }
  assert(sheet.entries.length > 0, 'a transfer writes at least one entry');
  return sheet.shortage() ?? sheet.result();
}

const NOTHING: Balance = { posted: 0n, held: 0n, seq: 0 };

/** The transfer being worked out. It may run short on the way: `shortage` is the missing amount. */
class Sheet {
  readonly entries: Entry[] = [];
  readonly #before: ReadonlyMap<Account, Balance>;
  readonly #opened: ReadonlyMap<CommitmentId, Commitment>;
  readonly #transfer: Transfer;
  readonly #balances = new Map<Account, Balance>();
  readonly #commitments = new Map<CommitmentId, Commitment>();
  /** Lowest spendable of each account that ran short, in the order in which they did. */
  readonly #lowest = new Map<Account, bigint>();

  constructor(
    balances: ReadonlyMap<Account, Balance>,
    commitments: ReadonlyMap<CommitmentId, Commitment>,
    transfer: Transfer,
  ) {
    this.#before = balances;
    this.#opened = commitments;
    this.#transfer = transfer;
    if (transfer.steps.some(({ reason }) => reason === 'adjust')) {
      assert(transfer.memo !== undefined, 'a correction says why (choices ledger.reasons)');
      assert(
        transfer.ref.kind === 'ticket',
        'a correction names its ticket (choices ledger.reasons)',
      );
    }
  }

  move({ from, to, amount, reason }: Omit<Move, 'verb'>): void {
    assert(from !== to, 'a move has two ends');
    if (sized(amount) === 0n) return;
    for (const end of [from, to]) {
      const outside = accountClass(end) === 'external';
      assert(!outside || familyOf(reason) === 'in-out', `${reason} may not touch ${end} (I7)`);
    }
    this.#write(from, 'move', reason, -amount, to);
    this.#write(to, 'move', reason, amount, from);
  }

  hold({ commitment: id, account, kind, ref, amount, reason, expiresAt }: Hold): void {
    assert(sized(amount) > 0n, 'a hold has an amount');
    assert(accountClass(account) !== 'external', 'the outside holds nothing');
    assert(!this.#opened.has(id) && !this.#commitments.has(id), `commitment ${id} exists`);
    const { network, asset } = this.#transfer;
    this.#commitments.set(id, {
      id,
      account,
      network,
      asset,
      kind,
      ref: ref ?? this.#transfer.ref,
      amount,
      remaining: amount,
      ...defined({ expiresAt }),
    });
    this.#write(account, 'hold', reason, amount);
  }

  release({ commitment, amount, reason }: Omit<Release, 'verb'>): void {
    const held = this.#commitment(commitment);
    const given = amount ?? held.remaining;
    if (given > 0n) this.#reduce(held, given, reason);
  }

  capture({ commitment, reason, to }: Capture): void {
    const held = this.#commitment(commitment);
    const total = to.reduce((sum, posting) => sum + sized(posting.amount), 0n);
    assert(total > 0n, 'a capture has an amount');
    this.#reduce(held, total, reason);
    for (const posting of to) {
      this.move({
        from: held.account,
        to: posting.account,
        amount: posting.amount,
        reason: posting.reason,
      });
    }
  }

  /** The first account that ran short, though the whole transfer was looked at. */
  shortage(): InsufficientFunds | undefined {
    for (const [account, lowest] of this.#lowest) {
      const { posted, held } = this.#before.get(account) ?? NOTHING;
      const spendable = atomic(posted - held);
      return {
        refused: 'insufficient-funds',
        account,
        spendable,
        needed: needed(spendable, lowest),
      };
    }
    return undefined;
  }

  result(): Applied {
    let sum = 0n;
    for (const entry of this.entries) if (entry.kind === 'move') sum += entry.delta;
    assert(sum === 0n, 'moves add up to nothing (I1)');
    for (const [account, { posted, held }] of this.#balances) {
      assert(held >= 0n, `${account} holds less than nothing (I4)`);
      assert(posted <= BALANCE_MAX && posted >= -BALANCE_MAX, `${account} is out of range`);
    }
    return { entries: this.entries, balances: this.#balances, commitments: this.#commitments };
  }

  #reduce(held: Commitment, amount: bigint, reason: Release['reason']): void {
    assert(amount <= held.remaining, `commitment ${held.id} has less remaining`);
    this.#commitments.set(held.id, { ...held, remaining: atomic(held.remaining - amount) });
    this.#write(held.account, 'release', reason, -amount);
  }

  #commitment(id: CommitmentId): Commitment {
    const touched = this.#commitments.get(id);
    if (touched !== undefined) return touched;
    const found = this.#opened.get(id);
    assert(found !== undefined, `no commitment ${id}`);
    assert(found.remaining > 0n, `commitment ${id} is closed`);
    const { network, asset } = this.#transfer;
    assert(found.network === network && found.asset === asset, 'one network and asset (I6)');
    return found;
  }

  #write(
    account: Account,
    kind: Entry['kind'],
    reason: Entry['reason'],
    delta: bigint,
    counterparty?: Account,
  ): void {
    const before = this.#balances.get(account) ?? this.#before.get(account) ?? NOTHING;
    const posted = kind === 'move' ? before.posted + delta : before.posted;
    const held = kind === 'move' ? before.held : before.held + delta;
    const accountSeq = before.seq + 1;
    this.#balances.set(account, { posted, held, seq: accountSeq });
    this.entries.push({
      account,
      accountSeq,
      kind,
      reason,
      ...defined({ counterparty }),
      delta,
      postedAfter: posted,
      heldAfter: held,
    });
    const spendable = posted - held;
    if (spendable < 0n && accountClass(account) !== 'external') {
      const lowest = this.#lowest.get(account) ?? 0n;
      if (spendable < lowest) this.#lowest.set(account, spendable);
    }
  }
}

function sized(amount: Atomic): bigint {
  assert(amount <= AMOUNT_MAX, 'an amount is at most 10^15 (choices ledger.amounts)');
  return amount;
}

function needed(spendable: bigint, lowest: bigint): Atomic {
  return atomic(spendable - lowest);
}
