import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { houseAccount, parseAccount, type Account } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { Store } from '../store.ts';
import {
  dropEvents,
  eventsBehind,
  EVENTS_KEPT_MAX,
  marksOf,
  noteEvent,
  writeNoted,
} from './accountEvents.ts';

onBothDatabases('the events of an account', (open) => {
  let [one, other]: Store[] = [];
  before(async () => {
    [one, other] = [await open(), await open()];
  });

  const TASK = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
  const AT = instant(1_800_000_000_000);
  const note = { at: AT, kind: 'task.claimed' as const, subjectId: TASK };
  const stores = (): readonly [Store, Store] => [
    one ?? assert.fail('a store'),
    other ?? assert.fail('another'),
  ];
  const behind = async (account: Account, after: number, limit = 1_000): Promise<number[]> => {
    const found = await stores()[1].read((db) => eventsBehind(db, account, after, limit));
    return found.events.map(({ seq }) => seq);
  };

  it('become readable in their order, though a unit commits late', async () => {
    const [first, second] = stores();
    const account = named(1);
    const latch = new Latch();
    const written = new Latch();
    const late = first.write(async (tx) => {
      noteEvent(tx, [account], { ...note, kind: 'task.late' });
      await writeNoted(tx);
      written.open();
      await latch.passed;
    });
    await written.passed;
    const quick = second.write((tx) => {
      noteEvent(tx, [account], { ...note, kind: 'task.quick' });
      return Promise.resolve();
    });
    assert.deepEqual(await behind(account, 0), [], 'neither, before the first is there');
    assert.equal((await Promise.race([quick.then(() => 'over'), pause(200)])) ?? 'waits', 'waits');
    assert.deepEqual(await behind(account, 0), []);
    latch.open();
    await Promise.all([late, quick]);
    assert.deepEqual(await behind(account, 0), [1, 2]);
    const { events } = await second.read((db) => eventsBehind(db, account, 0, 9));
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['task.late', 'task.quick'],
    );
  });

  it('have no gap where a unit failed', async () => {
    const [first, second] = stores();
    const account = named(2);
    await assert.rejects(
      first.write(async (tx) => {
        noteEvent(tx, [account], note);
        await writeNoted(tx);
        throw new Error('refused');
      }),
      /refused/,
    );
    await second.write((tx) => Promise.resolve(noteEvent(tx, [account], note)));
    assert.deepEqual(await behind(account, 0), [1]);
  });

  it('are read once each by a cursor that runs beside many writers', async () => {
    const accounts = [named(3), named(4), named(5)];
    const seen = new Map<Account, number[]>(accounts.map((account) => [account, []]));
    const look = async (): Promise<void> => {
      for (const [account, numbers] of seen) {
        numbers.push(...(await behind(account, numbers.at(-1) ?? 0, 7)));
      }
    };
    let isOver = false;
    const reader = (async () => {
      while (!isOver) await look();
    })();
    const write = async (store: Store, turn: number): Promise<void> => {
      for (let count = 0; count < 30; count += 1) {
        const reported = accounts.filter((_, place) => (count + place + turn) % 3 !== 0).reverse();
        await store.write(async (tx) => {
          noteEvent(tx, turn % 2 === 0 ? reported : [...reported].reverse(), note);
          if (count % 7 === 0) await writeNoted(tx);
          noteEvent(tx, count % 7 === 0 ? [] : reported, note);
        });
      }
    };
    const [first, second] = stores();
    await Promise.all([0, 1, 2, 3].map((turn) => write(turn < 2 ? first : second, turn)));
    isOver = true;
    await reader;
    for (const account of accounts) {
      const numbers = seen.get(account) ?? [];
      for (let last = -1; last !== numbers.length;) {
        last = numbers.length;
        await look();
      }
      const { head } = await second.read((db) => eventsBehind(db, account, 0, 1));
      assert.ok(head > 60, `${head} events`);
      assert.deepEqual(
        numbers,
        Array.from({ length: head }, (_, place) => place + 1),
      );
    }
  });

  it('are stored for no account of the house, and once for each other account', async () => {
    const account = named(6);
    const house = houseAccount('hub:board');
    const [first] = stores();
    await first.write((tx) =>
      Promise.resolve(noteEvent(tx, [account, house, undefined, account], note)),
    );
    assert.deepEqual(await behind(account, 0), [1]);
    assert.deepEqual(await behind(house, 0), []);
    const marks = await first.read((db) => marksOf(db, [account, house, named(7)]));
    assert.deepEqual([...marks], [[account, 1]]);
  });

  it('are kept up to a number and an age', async function long() {
    this.timeout(120_000);
    const account = named(8);
    const [first] = stores();
    for (let count = 0; count < 21; count += 1) {
      await first.write((tx) => {
        for (let each = 0; each < 500; each += 1) noteEvent(tx, [account], note);
        return Promise.resolve();
      });
    }
    const kept = await behind(account, 0, 20_000);
    assert.deepEqual([kept.length, kept[0]], [EVENTS_KEPT_MAX, 501]);
    const gone = await first.write((tx) => dropEvents(tx, instant(AT + 1), 400));
    assert.equal(gone, 400);
    assert.equal(await first.write((tx) => dropEvents(tx, AT, 400)), 0, 'what is no older');
  });
});

/** Makes accounts of keys that were never used. */
function named(count: number): Account {
  const name = `key:${'1'.repeat(31)}${String(count + 1)}`;
  return parseAccount(name) ?? assert.fail(name);
}

class Latch {
  open: () => void = () => undefined;
  readonly passed = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
