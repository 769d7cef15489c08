import { strict as assert } from 'node:assert';
import { houseAccount, parseAccount, type Account } from './account.ts';
import { instant } from './instant.ts';
import { apply } from './ledger.ts';
import { parseReason, type Reason } from './ledger/reasons.ts';
import {
  commitmentId,
  transferId,
  type Applied,
  type Balance,
  type Commitment,
  type CommitmentId,
  type InsufficientFunds,
  type Step,
  type Transfer,
} from './ledger/transfer.ts';
import { atomic } from './money.ts';

const ACCOUNTS: Readonly<Record<string, Account>> = {
  alice: known('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR'),
  bob: known('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'),
  fees: houseAccount('hub:fees'),
  gas: houseAccount('hub:gas'),
  chain: houseAccount('external:chain:base'),
};
const C1 = '00000000-0000-7000-8000-000000000001';
const C2 = '00000000-0000-7000-8000-000000000002';

/**
 * One line is one case: balances before (posted/held), steps, and what comes out. `c1` in the
 * balances is an open commitment of alice with that much remaining.
 */
const CASES = `
  a move            | alice 100            | move alice bob 40 pay                     | alice 60 bob 40
  to the last unit  | alice 100            | move alice bob 100 pay                    | alice 0 bob 100
  the highest amount| alice 1000000000000000 | move alice bob 1000000000000000 pay     | alice 0 bob 1000000000000000
  one unit short    | alice 100            | move alice bob 101 pay                    | short alice 100 101
  nothing at all    |                      | move alice bob 1 pay                      | short alice 0 1
  held is not spent | alice 100/30 c1 30   | move alice bob 71 pay                     | short alice 70 71
  the outside pays  |                      | move chain bob 5 deposit                  | chain -5 bob 5
  through an account| alice 0 bob 10       | move bob alice 10 pay, move alice bob 4 pay | bob 4 alice 6
  short on the way  | alice 3              | move alice bob 5 pay, move bob alice 5 pay | short alice 3 5
  two take from one | alice 100            | move alice bob 60 pay, move alice fees 60 pay | short alice 100 120
  zero is no entry  | alice 9              | move alice bob 9 pay, move alice fees 0 pay | alice 0 bob 9
  a hold            | alice 100            | hold alice c1 40 task.escrow              | alice 100/40 c1 40
  a hold too much   | alice 100            | hold alice c1 101 task.escrow             | short alice 100 101
  release a part    | alice 100/40 c1 40   | release c1 15 task.refund                 | alice 100/25 c1 25
  release the rest  | alice 100/40 c1 40   | release c1 rest task.refund               | alice 100/0 c1 0
  capture a part    | alice 100/40 c1 40   | capture c1 bob 30 task.reward             | alice 70/10 bob 30 c1 10
  capture all       | alice 40/40 c1 40    | capture c1 bob 40 task.reward             | alice 0/0 bob 40 c1 0
  capture and fee   | alice 100/100 c1 100 | capture c1 bob 97 task.reward fees 3 task.fee.hub | alice 0/0 bob 97 fees 3 c1 0
  capture, release  | alice 50/40 c1 40    | capture c1 bob 30 call.charge, release c1 rest call.return | alice 20/0 bob 30 c1 0
  nothing is left   | alice 50/40 c1 40    | capture c1 bob 40 call.charge, release c1 rest call.return | alice 10/0 bob 40 c1 0
  released is spent | alice 40/40 c1 40    | release c1 rest bet.return, hold alice c2 40 bet.hold | alice 40/40 c1 0 c2 40
  withdrawal        | alice 50/20 c1 20    | capture c1 chain 15 withdraw gas 5 withdraw.fee | alice 30/0 chain 15 gas 5 c1 0
  hold then spend   | alice 10             | hold alice c1 6 stake.hold, move alice bob 5 pay | short alice 10 11
`;

/** Steps that no caller may make: a bug, which throws. */
const BUGS = `
  to itself               | alice 9            | move alice alice 1 pay                | two ends
  nothing moved           | alice 9            | move alice bob 0 pay                  | at least one entry
  pay from the outside    |                    | move chain bob 5 pay                  | I7
  pay to the outside      | alice 9            | move alice chain 5 pay                | I7
  capture to the outside  | alice 9/9 c1 9     | capture c1 chain 9 task.reward        | I7
  hold of the outside     |                    | hold chain c1 5 task.escrow           | outside holds nothing
  empty hold              | alice 9            | hold alice c1 0 task.escrow           | hold has an amount
  hold twice              | alice 9/5 c1 5     | hold alice c1 1 task.escrow           | exists
  release too much        | alice 9/5 c1 5     | release c1 6 task.refund              | less remaining
  capture too much        | alice 9/5 c1 5     | capture c1 bob 6 task.reward          | less remaining
  capture twice           | alice 9/5 c1 5     | capture c1 bob 5 task.reward, capture c1 bob 1 task.reward | less remaining
  unknown commitment      | alice 9            | release c2 1 task.refund              | no commitment
  closed commitment       | alice 9/0 c1 0     | release c1 rest task.refund           | is closed
  correction without memo | alice 9            | move alice bob 1 adjust               | says why
  correction beside a pay | alice 9            | move alice bob 1 pay, move alice bob 1 adjust | says why
  empty capture           | alice 9/5 c1 5     | capture c1 bob 0 task.reward          | capture has an amount
  empty release           | alice 9/5 c1 5     | release c1 0 task.refund              | at least one entry
  above the cap           | alice 9            | move alice bob 1000000000000001 pay   | at most 10
`;

describe('ledger', () => {
  for (const [name, before, steps, after] of table(CASES)) {
    it(`works out: ${name}`, () => {
      const sheet = parse(before);
      assert.equal(reported(apply(sheet.balances, sheet.commitments, transfer(steps))), after);
    });
  }
  for (const [name, before, steps, bug] of table(BUGS)) {
    it(`throws on a bug: ${name}`, () => {
      const sheet = parse(before);
      const run = (): unknown => apply(sheet.balances, sheet.commitments, transfer(steps));
      assert.throws(run, new RegExp(bug));
    });
  }

  it('numbers the entries of each account without a gap and carries the balance after each', () => {
    const { balances, commitments } = parse('alice 100/40 c1 40');
    const steps = 'capture c1 bob 10 task.reward fees 2 task.fee.hub, move alice bob 5 pay';
    const applied = apply(balances, commitments, transfer(steps));
    assert.ok('entries' in applied);
    const lines = applied.entries.map(
      (e) =>
        `${nameOf(e.account)} ${e.accountSeq} ${e.kind} ${e.delta} ${e.postedAfter}/${e.heldAfter}`,
    );
    assert.deepEqual(lines, [
      'alice 8 release -12 100/28',
      'alice 9 move -10 90/28',
      'bob 1 move 10 10/0',
      'alice 10 move -2 88/28',
      'fees 1 move 2 2/0',
      'alice 11 move -5 83/28',
      'bob 2 move 5 15/0',
    ]);
  });
});

function table(text: string): readonly (readonly [string, string, string, string])[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', before = '', steps = '', after = ''] = line.split('|').map((c) => c.trim());
      return [name, before, steps, after] as const;
    });
}

interface Sheet {
  readonly balances: ReadonlyMap<Account, Balance>;
  readonly commitments: ReadonlyMap<CommitmentId, Commitment>;
}

function parse(before: string): Sheet {
  const words = before.split(/\s+/);
  const balances = new Map<Account, Balance>();
  const commitments = new Map<CommitmentId, Commitment>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [name = '', value = ''] = words.slice(at, at + 2);
    const [posted = '0', held = '0'] = value.split('/');
    if (name !== 'c1') {
      balances.set(account(name), { posted: BigInt(posted), held: BigInt(held), seq: 7 });
      continue;
    }
    commitments.set(id('c1'), {
      id: id('c1'),
      account: account('alice'),
      network: 'sandbox',
      asset: 'USDC',
      kind: 'task',
      ref: { kind: 'task', id: '1' },
      amount: atomic(BigInt(posted) + 1n),
      remaining: atomic(BigInt(posted)),
    });
  }
  return { balances, commitments };
}

function transfer(steps: string): Transfer {
  return {
    id: transferId('00000000-0000-7000-8000-00000000000a'),
    at: instant(1_800_000_000_000),
    network: 'sandbox',
    asset: 'USDC',
    event: 'test',
    ref: { kind: 'task', id: '1' },
    actor: 'hub',
    steps: steps.split(',').map((each) => step(each.trim().split(/\s+/))),
  };
}

function step([
  verb = '',
  first = '',
  second = '',
  third = '',
  fourth = '',
  ...more
]: string[]): Step {
  switch (verb) {
    case 'move':
      return { verb, from: account(first), to: account(second), ...sum(third, fourth) };
    case 'hold':
      return {
        verb,
        account: account(first),
        commitment: id(second),
        kind: 'task',
        ...sum(third, fourth),
      };
    case 'release':
      return second === 'rest'
        ? { verb, commitment: id(first), reason: because(third) }
        : { verb, commitment: id(first), ...sum(second, third) };
    default: {
      assert.equal(verb, 'capture');
      const words = [second, third, fourth, ...more];
      const to = Array.from({ length: words.length / 3 }, (_, posting) => {
        const [name = '', amount = '', reason = ''] = words.slice(posting * 3, posting * 3 + 3);
        return { account: account(name), ...sum(amount, reason) };
      });
      return { verb: 'capture', commitment: id(first), reason: because(fourth), to };
    }
  }
}

function reported(outcome: Applied | InsufficientFunds): string {
  if ('refused' in outcome) {
    return `short ${nameOf(outcome.account)} ${outcome.spendable} ${outcome.needed}`;
  }
  const held = new Set([...outcome.entries].filter((e) => e.kind !== 'move').map((e) => e.account));
  const balances = [...outcome.balances].map(
    ([of, { posted, held: kept }]) => `${nameOf(of)} ${posted}${held.has(of) ? `/${kept}` : ''}`,
  );
  const commitments = [...outcome.commitments.values()].map(
    (each) => `${each.id === id('c1') ? 'c1' : 'c2'} ${each.remaining}`,
  );
  return [...balances, ...commitments].join(' ');
}

function sum(
  amount: string,
  reason: string,
): { amount: ReturnType<typeof atomic>; reason: Reason } {
  return { amount: atomic(BigInt(amount)), reason: because(reason) };
}

function because(text: string): Reason {
  const reason = parseReason(text);
  assert.ok(reason !== undefined, `no reason ${text}`);
  return reason;
}

function account(name: string): Account {
  const found = ACCOUNTS[name];
  assert.ok(found !== undefined, `no account is called ${name}`);
  return found;
}

function nameOf(of: Account): string {
  return Object.entries(ACCOUNTS).find(([, each]) => each === of)?.[0] ?? of;
}

function id(name: string): CommitmentId {
  return commitmentId(name === 'c1' ? C1 : C2);
}

function known(text: string): Account {
  const found = parseAccount(text);
  assert.ok(found !== undefined);
  return found;
}
