import assert from 'node:assert/strict';
import { houseAccount, keyAccount, type Account, type KeyId } from './account.ts';
import { instant } from './instant.ts';
import { apply } from './ledger.ts';
import {
  commitmentId,
  transferId,
  type Balance,
  type Commitment,
  type Hold,
  type Step,
  type Transfer,
} from './ledger/transfer.ts';
import { atomic, BALANCE_MAX } from './money.ts';

const [ALICE, BOB] = ['alice', 'bob'].map((name) => keyAccount(name as KeyId)) as [
  Account,
  Account,
];
const CHAIN = houseAccount('external:chain:base');
const ID = commitmentId('00000000-0000-7000-8000-000000000001');
const TASK = { kind: 'task', id: '1' };
const transfer = (steps: readonly Step[], more: Partial<Transfer> = {}): Transfer => ({
  id: transferId('00000000-0000-7000-8000-00000000000a'),
  at: instant(1_800_000_000_000),
  network: 'sandbox',
  asset: 'USDC',
  event: 'test',
  ref: TASK,
  actor: 'hub',
  steps,
  ...more,
});
const having = (...all: readonly (readonly [Account, bigint, bigint])[]) =>
  new Map<Account, Balance>(
    all.map(([account, posted, held]) => [account, { posted, held, seq: 0 }]),
  );
const applied = (...of: Parameters<typeof apply>) => {
  const outcome = apply(...of);
  assert.ok('entries' in outcome, 'there is enough money');
  return outcome;
};
const move = (from: Account, to: Account, amount: bigint): Step => ({
  verb: 'move',
  from,
  to,
  amount: atomic(amount),
  reason: 'pay',
});
const hold: Hold = {
  verb: 'hold',
  commitment: ID,
  account: ALICE,
  kind: 'task',
  amount: atomic(4n),
  reason: 'task.escrow',
};
const open = (more: Partial<Commitment> = {}): Commitment => ({
  id: ID,
  account: ALICE,
  network: 'sandbox',
  asset: 'USDC',
  kind: 'task',
  ref: TASK,
  amount: atomic(5n),
  remaining: atomic(5n),
  ...more,
});
const NONE = new Map();

describe('entries of a transfer', () => {
  it('name the other side of a move, and none for a hold', () => {
    const { entries } = applied(
      having([ALICE, 9n, 0n]),
      NONE,
      transfer([move(ALICE, BOB, 5n), hold]),
    );
    const written = { kind: 'move', reason: 'pay', heldAfter: 0n } as const;
    assert.deepEqual(entries, [
      {
        ...written,
        account: ALICE,
        accountSeq: 1,
        counterparty: BOB,
        delta: -5n,
        postedAfter: 4n,
      },
      { ...written, account: BOB, accountSeq: 1, counterparty: ALICE, delta: 5n, postedAfter: 5n },
      {
        account: ALICE,
        accountSeq: 2,
        kind: 'hold',
        reason: 'task.escrow',
        delta: 4n,
        postedAfter: 4n,
        heldAfter: 4n,
      },
    ]);
  });
});

describe('a commitment that a hold opens', () => {
  const opened = (more: Partial<Hold> = {}) =>
    applied(having([ALICE, 9n, 0n]), NONE, transfer([{ ...hold, ...more }])).commitments.get(ID);
  const four = { amount: atomic(4n), remaining: atomic(4n) };

  it('is about the subject of its transfer, or about its own', () => {
    assert.deepEqual(opened(), open(four));
    const ref = { kind: 'chain', id: '2' };
    assert.deepEqual(opened({ ref }), open({ ...four, ref }));
  });

  it('has an end where the hold has one', () => {
    const expiresAt = instant(1_800_000_000_001);
    assert.deepEqual(opened({ expiresAt }), open({ ...four, expiresAt }));
  });
});

describe('a correction', () => {
  const balances = having([ALICE, 9n, 0n]);
  const steps: readonly Step[] = [{ ...move(ALICE, BOB, 1n), reason: 'adjust' }];
  const ref = { kind: 'ticket', id: '1' };

  it('says why and names its ticket', () => {
    const correct = (more: Partial<Transfer>) => apply(balances, NONE, transfer(steps, more));
    assert.ok('entries' in correct({ ref, memo: 'paid twice' }));
    assert.throws(() => correct({ ref }), /a correction says why/);
    assert.throws(() => correct({ memo: 'paid twice' }), /a correction names its ticket/);
  });
});

describe('balances after a transfer', () => {
  it('are within what JavaScript reads back exactly, on both sides', () => {
    const deposit = (posted: bigint): unknown => {
      const steps: readonly Step[] = [{ ...move(CHAIN, BOB, 1n), reason: 'deposit' }];
      return apply(having([CHAIN, posted, 0n]), NONE, transfer(steps));
    };
    assert.doesNotThrow(() => deposit(1n - BALANCE_MAX));
    assert.throws(() => deposit(-BALANCE_MAX), /external:chain:base is out of range/);
    const receive = (posted: bigint): unknown =>
      apply(having([ALICE, 9n, 0n], [BOB, posted, 0n]), NONE, transfer([move(ALICE, BOB, 1n)]));
    assert.doesNotThrow(() => receive(BALANCE_MAX - 1n));
    assert.throws(() => receive(BALANCE_MAX), /key:bob is out of range/);
  });

  it('hold no less than nothing, and what the books differ by is a bug', () => {
    const steps: readonly Step[] = [{ verb: 'release', commitment: ID, reason: 'task.refund' }];
    const release = (held: bigint): unknown =>
      apply(having([ALICE, 9n, held]), new Map([[ID, open()]]), transfer(steps));
    assert.doesNotThrow(() => release(5n));
    assert.throws(() => release(4n), /key:alice holds less than nothing \(I4\)/);
  });

  it('take from a commitment of their network and asset alone (I6)', () => {
    const steps: readonly Step[] = [{ verb: 'release', commitment: ID, reason: 'task.refund' }];
    for (const other of [{ network: 'play' }, { asset: 'EURC' }] as const) {
      const release = (): unknown =>
        apply(having([ALICE, 9n, 5n]), new Map([[ID, open(other)]]), transfer(steps));
      assert.throws(release, /one network and asset \(I6\)/);
    }
  });

  it('run short of the first account that has too little, by its lowest', () => {
    const steps = [move(BOB, ALICE, 3n), move(ALICE, CHAIN, 1n)].map((step, n) =>
      n === 0 ? step : { ...step, reason: 'withdraw' as const },
    );
    const outcome = apply(having([ALICE, 0n, 5n], [BOB, 2n, 1n]), NONE, transfer(steps));
    const short = { refused: 'insufficient-funds', account: BOB };
    assert.deepEqual(outcome, { ...short, spendable: 1n, needed: 3n });
  });
});
