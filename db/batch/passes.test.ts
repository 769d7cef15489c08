import assert from 'node:assert/strict';
import { keyIdOf } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { Dialect } from '../connection.ts';
import { openLedgerMemory } from '../ledger/memory.ts';
import { NONCES } from '../nonces.ts';
import type { BatchLink, BatchParts, Prefetched } from './batch.ts';
import { need } from './need.ts';
import { openPassCounts, type PassCounts } from './passCounts.ts';
import type { Decider, Ended, Transaction } from './transaction.ts';
import { runUnits } from './ways.ts';

const KEY = keyIdOf(new Uint8Array(32).fill(7));
const key = (nonce: string) => ({ keyId: KEY, nonce });
const REFUSED = new Error('refused');
/** Tries of a transaction alone, and passes of it alone and among others. */
const [TRIES, ALONE, TOGETHER] = [6, 16, 4];

function unit<T>(name: string, decide: (db: Decider) => T, needs: Transaction<T>['needs'] = []) {
  return { name, needs, decide } satisfies Transaction<T>;
}

/** Asks for one more row at each attempt. */
function circle(): Transaction<string> {
  let asked = 0;
  return unit('circle', (db) => {
    asked += 1;
    db.find(NONCES, key(String(asked)));
    return db.leave('never') as string;
  });
}

const answers = (ended: readonly Ended[]): readonly unknown[] =>
  ended.map((each) => (each.ok ? each.answer : String(each.error)));

describe('a batch', () => {
  let done: string[];
  let passCounts: PassCounts;
  /** Ends the pass with this number, counted from 1, before it reads. */
  let fails: (nth: number) => unknown;
  beforeEach(() => {
    done = [];
    passCounts = openPassCounts();
    fails = () => undefined;
  });

  const run = (
    units: readonly Transaction<unknown>[],
    { dialect = 'postgres', ...more }: Partial<BatchParts> & { dialect?: Dialect } = {},
  ): Promise<readonly Ended[]> => {
    let passes = 0;
    const link = {
      dialect,
      rows: () => Promise.resolve((done.push('read'), [])),
      write(effects) {
        done.push(`write ${effects.length}`);
        return Promise.resolve();
      },
      abandon: () => Promise.resolve(void done.push('abandon')),
    } as Partial<BatchLink> as BatchLink;
    return runUnits(units, {
      ledger: openLedgerMemory(),
      passCounts,
      within(work, alone) {
        passes += 1;
        done.push(alone ? 'pass alone' : 'pass');
        const error = fails(passes);
        return error === undefined ? work(link) : Promise.reject(error as Error);
      },
      isRefused: (error) => error === REFUSED,
      report: (error) => done.push(`report ${String(error)}`),
      publish: (topic) => done.push(`publish ${topic}`),
      ...more,
    });
  };
  const passesOf = (): readonly string[] => done.filter((each) => each.startsWith('pass'));

  it('writes what changed, runs each hook, and publishes although one failed', async () => {
    const hooked = unit('pay', (db) => {
      db.insert(NONCES, key('n'), { ...key('n'), seenAt: instant(9) });
      db.publish('paid');
      db.afterCommit(() => assert.fail('first'));
      db.afterCommit(() => done.push('second'));
      return 'answer';
    });
    const wrote: string[] = [];
    const ended = await run([hooked], { wrote: (set) => wrote.push(...set.topics) });
    assert.deepEqual(answers(ended), ['answer']);
    const [, , ...after] = done;
    assert.match(after.shift() ?? '', /^report AssertionError.*first/);
    assert.deepEqual(after, ['second', 'publish paid']);
    assert.deepEqual(done.slice(0, 2), ['pass', 'write 1']);
    assert.deepEqual(wrote, ['paid']);
  });

  it('writes nothing for transactions that only look, and counts their passes by name', async () => {
    const look = unit('look', (db) => [db.find(NONCES, key('a')), db.find(NONCES, key('b'))]);
    const { name: _, ...unnamed } = unit('', () => 'at once');
    const ended = await run([look, unnamed]);
    assert.deepEqual(answers(ended), [[undefined, undefined], 'at once']);
    assert.deepEqual(done, [
      ...['pass', 'abandon'],
      ...['pass', 'read', 'abandon'],
      ...['pass', 'read', 'abandon'],
    ]);
    assert.deepEqual(Object.fromEntries(passCounts.read()), {
      look: { transactions: 1, passes: 3 },
      other: { transactions: 1, passes: 3 },
    });
  });

  it('loads missing rows within the pass on SQLite, and what ran well is not run again', async () => {
    const look = unit('look', (db) => [db.find(NONCES, key('a')), db.find(NONCES, key('b'))]);
    await run([look, unit('once', () => 'at once')], { dialect: 'sqlite' });
    assert.deepEqual(done, ['pass', 'read', 'read', 'abandon']);
    assert.deepEqual(Object.fromEntries(passCounts.read()), {
      look: { transactions: 1, passes: 3 },
      once: { transactions: 1, passes: 1 },
    });
  });

  for (const dialect of ['postgres', 'sqlite'] as const)
    it(`ends a transaction alone that goes round in a circle (${dialect})`, async () => {
      const [circular, good] = [circle(), unit('good', () => 'good')];
      const [first, second] = await run([circular, good], { dialect });
      assert.match(
        String(first?.ok === false && first.error),
        /asks for more rows at each attempt/,
      );
      assert.match(
        String(first?.ok === false && first.error),
        new RegExp(`nonces .* ${TOGETHER + ALONE}$`),
      );
      assert.deepEqual(second, { ok: true, answer: 'good' });
      assert.equal(passesOf().length, dialect === 'postgres' ? TOGETHER + ALONE : 2);
      // It is counted once, when it ended.
      assert.deepEqual(passCounts.read().get('circle'), {
        transactions: 1,
        passes: TOGETHER + ALONE,
      });
    });

  it('runs its transactions singly when the database refused them, so only the cause fails', async () => {
    // The batch, then the first alone, then each try of the second.
    fails = (nth) => (nth === 2 ? undefined : REFUSED);
    const ended = await run(['first', 'second'].map((name) => unit(name, () => name)));
    assert.deepEqual(answers(ended), ['first', 'Error: refused']);
    const tries = Array.from({ length: TRIES - 1 }, () => 'pass alone');
    assert.deepEqual(passesOf(), ['pass', 'pass', 'pass', ...tries]);
  });

  it('ends all of its transactions by an error that says nothing of what was kept', async () => {
    const lost = new Error('connection lost');
    fails = () => lost;
    const both = ['first', 'second'].map((name) => unit(name, () => name));
    assert.deepEqual(answers(await run(both)), [
      'Error: connection lost',
      'Error: connection lost',
    ]);
    assert.deepEqual(answers(await run(both.slice(0, 1))), ['Error: connection lost']);
    assert.deepEqual(passesOf(), ['pass', 'pass']);
  });

  it('uses rows that were read before its turn for one pass only', async () => {
    const needs = [need(NONCES, key('a'))];
    const look = (name: string) => unit(name, (db) => db.find(NONCES, key('a')) ?? name, needs);
    const prefetched: Prefetched = {
      asked: new Map([[NONCES, new Map([[NONCES.id(key('a')), { cells: [] }]])]]) as never,
      known: [],
      row: undefined,
      locked: undefined,
      follows: undefined,
    };
    await run([look('one')], { prefetched });
    assert.deepEqual(done.splice(0), ['pass', 'abandon']);
    fails = (nth) => (nth === 1 ? REFUSED : undefined);
    await run([look('one')], { prefetched });
    assert.deepEqual(done.splice(0), ['pass', 'pass alone', 'read', 'abandon']);
    await run([look('one'), look('two')], { prefetched });
    const alone = ['pass', 'read', 'abandon'];
    assert.deepEqual(done, ['pass', ...alone, ...alone]);
  });
});
