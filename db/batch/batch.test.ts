import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { until } from '../../conformance/harness/waiting.ts';
import { assertBooksBalance } from '../../conformance/ledger/auditor.ts';
import {
  AT,
  fund,
  hold,
  pay,
  person,
  release,
  run,
  spendable,
  sum,
  uuid,
} from '../../conformance/ledger/book.ts';
import { ONE, paying, type Answer, type Paying } from '../../conformance/ledger/paying.ts';
import { keyIdOf, parseKeyId, type Account } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { commitmentId, type CommitmentId, type Step } from '../../domain/ledger/transfer.ts';
import { openStore, type Store } from '../store.ts';
import { NONCES } from '../nonces.ts';
import { KEY_HOMES } from '../wallet/homes.ts';
import { need } from './need.ts';
import type { Transaction } from './transaction.ts';

const KEY = parseKeyId('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR') ?? assert.fail();
const OTHER = parseKeyId('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi') ?? assert.fail();
const BATCH = 64;

/** A row that breaks a rule of its table, which only the write finds. */
const broken: Transaction<string> = {
  needs: [need(KEY_HOMES, OTHER)],
  decide(db) {
    db.put(KEY_HOMES, OTHER, { keyId: OTHER, account: ONE, settledAt: NaN as Instant });
    return 'never';
  },
};

const FORMS = [
  ['transactions of a batch', false],
  ['transactions that find out what they read', true],
] as const;

for (const [form, isUnforeseen] of FORMS)
  onBothDatabases(form, (open) => {
    let store: Store;
    let people: readonly Account[];
    before(async () => {
      store = await open();
    });
    beforeEach(async () => {
      people = Array.from({ length: 4 }, person);
      for (const each of people) await fund(store, each, 1_000n);
    });
    afterEach(() => assertBooksBalance(store));

    const at = (nth: number): Account => people[nth % people.length] ?? assert.fail();
    const round = (nth: number): Paying => ({ steps: [pay(at(nth), at(nth + 1), 1n)] });
    const decide = (of: Paying): Promise<Answer> =>
      store.decide(paying(store, { ...of, isUnforeseen }));
    const nonceTaken = (nonce: string): Promise<boolean> =>
      store.read(async ({ knex }) => (await knex('nonces').where({ nonce })).length === 1);
    const entries = async (): Promise<readonly unknown[]> =>
      store.read(({ knex }) =>
        knex('entries')
          .join('accounts', 'accounts.id', 'entries.account_id')
          .whereIn('name', people)
          .orderBy(['account_id', 'account_seq'])
          .select('account_seq', 'kind', 'reason', 'delta', 'posted_after', 'held_after'),
      );

    it('does alone what a unit of single statements does', async () => {
      await decide({ steps: [pay(at(0), at(1), 30n)] });
      const ofBatch = await entries();
      const [first, second] = [at(0), at(1)];
      people = Array.from({ length: 4 }, person);
      for (const each of people) await fund(store, each, 1_000n);
      await run(store, [pay(at(0), at(1), 30n)]);
      assert.deepEqual(await entries(), ofBatch);
      assert.equal(await spendable(store, first), 970n);
      assert.equal(await spendable(store, second), 1_030n);
    });

    it(`decides ${BATCH} at once as if one after another`, async () => {
      const all = Array.from({ length: BATCH }, (_, nth) => decide(round(nth)));
      const ids = (await Promise.all(all)).map((each) => 'result' in each && each.result);
      assert.equal(new Set(ids).size, BATCH);
      for (const each of people) assert.equal(await spendable(store, each), 1_000n);
      assert.equal((await entries()).length, 2 * BATCH + people.length);
    });

    it('spends nothing twice within a batch', async () => {
      const [rich, poor] = [at(0), at(1)];
      const all = Array.from({ length: 10 }, () => decide({ steps: [pay(rich, poor, 300n)] }));
      const ends = await Promise.allSettled(all);
      assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 3);
      assert.equal(await spendable(store, rich), 100n);
      assert.equal(await spendable(store, poor), 1_900n);
    });

    it('keeps nothing of a refused unit but what it admitted, and its neighbours whole', async () => {
      const heard: string[] = [];
      const stop = store.onPublish((topic) => heard.push(topic));
      const good = { ...round(0), nonce: uuid(), key: uuid() };
      const bad = { ...round(1), nonce: uuid(), key: uuid(), fails: 'no' };
      const ends = await Promise.allSettled([decide(good), decide(bad), decide(round(2))]);
      assert.deepEqual(
        ends.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual([await nonceTaken(good.nonce), await nonceTaken(bad.nonce)], [true, true]);
      await until(() => heard.includes(`paid ${good.key}`));
      assert.equal(heard.includes(`paid ${bad.key}`), false);
      // The refused key was not used up.
      const { fails: _, ...again } = bad;
      const ended = await decide({ ...again, nonce: uuid() });
      assert.equal('repeated' in ended && ended.repeated, false);
      stop();
    });

    it('keeps nothing of a unit that is left with an answer but what it admitted', async () => {
      const asked = { ...round(0), nonce: uuid(), key: uuid() };
      const unit = paying(store, { ...asked, isUnforeseen });
      const left = store.decide<unknown>({
        ...unit,
        decide(db) {
          unit.decide(db);
          return db.leave('nothing');
        },
      });
      assert.deepEqual(await Promise.all([left, decide(round(1))]).then(([one]) => one), 'nothing');
      assert.equal(await nonceTaken(asked.nonce), true);
      assert.equal((await entries()).length, 2 + people.length);
    });

    it('fails alone what the database refuses', async () => {
      const all = [round(0), round(1), round(2)].map(decide);
      const failed = store.decide(broken);
      const more = [round(3), round(4)].map(decide);
      await assert.rejects(failed, /NOT NULL|constraint|null value/i);
      for (const each of await Promise.all([...all, ...more])) assert.ok('result' in each);
      assert.equal((await entries()).length, 10 + people.length);
    });

    it('lets a nonce through once, in one batch and across two', async () => {
      const nonce = uuid();
      const twins = [0, 1, 2].map((nth) => decide({ ...round(nth), nonce }));
      const ends = await Promise.allSettled(twins);
      assert.deepEqual(
        ends.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected'],
      );
      await assert.rejects(decide({ ...round(1), nonce }), /replayed/);
      assert.equal((await entries()).length, 2 + people.length);
    });

    it('answers its own twin in the batch, and refuses the key for something else', async () => {
      const key = uuid();
      const one = { ...round(0), key };
      const ended = await Promise.all([one, one, { ...one, digest: 'other' }].map(decide));
      const [first, second, third] = ended;
      assert.ok(first !== undefined && 'result' in first && !first.repeated);
      assert.deepEqual(second, { result: first.result, repeated: true });
      assert.deepEqual(third, { mismatch: true });
      assert.deepEqual(await decide(one), { result: first.result, repeated: true });
      assert.equal((await entries()).length, 2 + people.length);
    });

    it('makes a receiver for the unit that pays it, after one that only looked', async () => {
      const newcomer = person();
      const of = { steps: [pay(at(0), newcomer, 7n)] };
      const { needs } = paying(store, of);
      assert.equal(await store.decide({ needs, decide: () => 'looked' }), 'looked');
      await decide(of);
      assert.equal(await spendable(store, newcomer), 7n);
    });

    it('makes a receiver with the first payment, and none for a refused one', async () => {
      const [newcomer, stranger] = [person(), person()];
      const nonce = uuid();
      const ends = await Promise.allSettled([
        decide({ steps: [pay(at(0), newcomer, 5n)] }),
        decide({ steps: [pay(at(1), newcomer, 6n)] }),
        decide({ steps: [pay(at(2), stranger, 5_000n)], nonce }),
        decide(round(3)),
      ]);
      assert.deepEqual(
        ends.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
      );
      assert.equal(await spendable(store, newcomer), 11n);
      const made = await store.read(({ knex }) => knex('accounts').where({ name: stranger }));
      assert.deepEqual(made, []);
      assert.equal(await nonceTaken(nonce), true);
    });

    it('holds, pays out and gives back within one batch', async () => {
      const [owner, worker] = [at(0), at(1)];
      const id = (): CommitmentId => commitmentId(uuid());
      const [kept, paid, back] = [id(), id(), id()];
      const capture: Step = {
        verb: 'capture',
        commitment: paid,
        reason: 'call.return',
        to: [{ account: worker, amount: sum(40n), reason: 'pay' }],
      };
      const owners = [owner];
      await Promise.all([
        decide({ steps: [hold(owner, kept, 10n)] }),
        decide({ steps: [hold(owner, paid, 100n)] }),
        decide({ steps: [hold(owner, back, 20n)] }),
        decide({ steps: [capture], owners }),
        decide({ steps: [release(back)], owners }),
      ]);
      assert.equal(await spendable(store, owner), 1_000n - 10n - 100n);
      assert.equal(await spendable(store, worker), 1_040n);
      await decide({ steps: [release(paid)], owners });
      assert.equal(await spendable(store, owner), 1_000n - 10n - 40n);
      const rows = await store.read(({ knex }) =>
        knex('commitments').whereIn('id', [kept, paid, back]).orderBy('id').select('state'),
      );
      assert.deepEqual(rows, [{ state: 'open' }, { state: 'closed' }, { state: 'closed' }]);
    });

    it('loses no race against units of single statements and another process', async () => {
      const beside = await open();
      const jobs: Promise<unknown>[] = [];
      for (let nth = 0; nth < 60; nth += 1) {
        const steps = [pay(at(nth), at(nth + 1), 1n)];
        jobs.push(decide({ steps }), beside.decide(paying(beside, { steps })));
        if (nth % 3 === 0) jobs.push(run(store, steps), run(beside, steps));
      }
      await Promise.all(jobs);
      for (const each of people) assert.equal(await spendable(store, each), 1_000n);
      assert.equal((await entries()).length, 2 * 160 + people.length);
    });

    it('lets one of two processes take a nonce and a key', async () => {
      const beside = await open();
      const [nonce, key] = [uuid(), uuid()];
      const stores = [store, beside, store, beside];
      const ends = await Promise.allSettled(
        stores.map((each) => each.decide(paying(each, { ...round(0), nonce }))),
      );
      assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
      const once = await Promise.all(
        stores.map((each) => each.decide(paying(each, { ...round(0), key }))),
      );
      const fresh = once.filter((each) => 'repeated' in each && !each.repeated);
      assert.equal(fresh.length, 1);
      assert.equal((await entries()).length, 4 + people.length);
    });

    it('moves nothing while the ledger is frozen', async () => {
      const beside = await open();
      beside.freeze(instant(AT));
      await assert.rejects(beside.decide(paying(beside, round(0))), /frozen/);
      assert.equal((await entries()).length, people.length);
    });

    it('loads what a transaction looks up, each row once, and runs it again', async () => {
      let runs = 0;
      const reader: Transaction<unknown> = {
        needs: [],
        decide(db) {
          runs += 1;
          return [db.find(KEY_HOMES, KEY), db.find(KEY_HOMES, OTHER), db.find(KEY_HOMES, KEY)];
        },
      };
      assert.deepEqual(await store.decide(reader), [undefined, undefined, undefined]);
      assert.equal(runs, 3);
      runs = 0;
      const asking: Transaction<unknown> = {
        ...reader,
        decide(db) {
          db.ask([need(KEY_HOMES, KEY), need(KEY_HOMES, OTHER)]);
          return reader.decide(db);
        },
      };
      await store.decide(asking);
      assert.equal(runs, 1);
    });

    it('decides nothing on rows that it did not see, whatever a transaction catches', async () => {
      const catching: Transaction<string> = {
        needs: [],
        decide(db) {
          try {
            db.find(KEY_HOMES, KEY);
          } catch {
            return 'decided blindly';
          }
          return 'decided';
        },
      };
      assert.equal(await store.decide(catching), 'decided');
    });

    it('ends a transaction that asks for more rows at each attempt, and names them', async () => {
      let asked = 0;
      const circular: Transaction<string> = {
        needs: [],
        decide(db) {
          for (;;) {
            asked += 1;
            db.find(NONCES, { keyId: KEY, nonce: `circle ${asked}` });
          }
        },
      };
      const neighbours = [round(0), round(1)].map(decide);
      await assert.rejects(store.decide(circular), /asks for more rows at each attempt.*nonces/);
      for (const each of await Promise.all(neighbours)) assert.ok('result' in each);
      assert.ok(asked <= 24, `${asked} attempts`);
    });

    it('runs what must follow a batch on the rows that this batch wrote', async () => {
      for (let nth = 0; nth < 20; nth += 1) {
        const keyId = keyIdOf(randomBytes(32));
        const needs = [need(KEY_HOMES, keyId)];
        let isDecided = false;
        const put: Transaction<void> = {
          needs,
          decide(db) {
            const row = { keyId, account: at(nth), settledAt: AT, isNew: true };
            db.put(KEY_HOMES, keyId, row);
            isDecided = true;
          },
        };
        const follow: Transaction<Account | undefined> = {
          needs,
          decide(db) {
            const row = db.find(KEY_HOMES, keyId);
            return row !== undefined && 'isNew' in row ? db.runLater() : row?.account;
          },
        };
        const first = store.decide(put);
        // It is read beside the first, which is decided and not yet committed.
        while (!isDecided) await turn();
        const second = store.decide(follow);
        await first;
        // PostgreSQL decides it beside the first, which then is not there yet.
        assert.ok([at(nth), undefined].includes(await second));
        assert.equal(await store.decide(follow), at(nth));
      }
    });

    it('gives way to everything else while a batch of slow units decides', async () => {
      const counted = { turns: 0, isOver: false };
      const count = (): void => {
        counted.turns += 1;
        if (!counted.isOver) setImmediate(count);
      };
      setImmediate(count);
      const decided = new Map<number, number>();
      const slow: Transaction<void> = {
        needs: [],
        decide() {
          const began = performance.now();
          while (performance.now() - began < 1);
          decided.set(counted.turns, (decided.get(counted.turns) ?? 0) + 1);
        },
      };
      await Promise.all(Array.from({ length: BATCH }, () => store.decide({ ...slow })));
      counted.isOver = true;
      assert.ok(Math.max(...decided.values()) <= 8, JSON.stringify([...decided]));
    });

    it('refuses a unit inside a unit', async () => {
      const inside = store.write(() => store.decide(paying(store, round(0))));
      await assert.rejects(inside, /called inside store.write/);
    });
  });

describe('transactions of a store that closes', () => {
  it('end when they wait, and no more are taken', async () => {
    const store = await openStore('sqlite::memory:');
    const [from, to] = [person(), person()];
    await fund(store, from, 10n);
    const units = [1n, 2n, 3n].map((amount) =>
      store.decide(paying(store, { steps: [pay(from, to, amount)] })),
    );
    const closed = store.close();
    for (const each of await Promise.all(units)) assert.ok('result' in each);
    await closed;
    const late = store.decide(paying(store, { steps: [pay(from, to, 1n)] }));
    await assert.rejects(late, /store is closed/);
  });
});
