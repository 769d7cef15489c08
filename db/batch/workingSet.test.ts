import assert from 'node:assert/strict';
import { person, uuid } from '../../conformance/ledger/book.ts';
import { keyIdOf } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import { atomic } from '../../domain/money.ts';
import { TOPIC_LENGTH_MAX } from '../unitOfWork.ts';
import { openLedgerMemory } from '../ledger/memory.ts';
import { askedBy } from './asked.ts';
import { integer, text } from './columns.ts';
import { effectsOf } from './effects.ts';
import { list } from './list.ts';
import { type AnyTable, need, type Need, parentIn } from './need.ts';
import { table } from './table.ts';
import type { Attempt, Decider, Transaction } from './transaction.ts';
import { WorkingSet } from './workingSet.ts';

const PORTS = table('ports', { name: text().key(), ships: integer() });
const SHIPS = table(
  'ships',
  { name: text().key(), port: text().fixed(), value: integer() },
  { removes: true, parent: parentIn(PORTS, ({ port }: { readonly port: string }) => port) },
);
const SHIPS_OF = list('ships_of', SHIPS, {
  by: { port: text() },
  where: ({ port }) => `t.port = ${port}`,
  order: 't.name',
  parent: parentIn(PORTS, (port: string) => port),
});
const LINES = table('lines', { id: text().key(), text: text().fixed() }, { use: 'append' });
const KIEL = { name: 'Kiel', ships: 2 };
const ANNA = { name: 'Anna', port: 'Kiel', value: 5 };
const BERTA = { name: 'Berta', port: 'Kiel', value: 7 };

/** A set with Kiel and its ships, of which it was asked by name and by port. */
function loaded(...needs: readonly Need[]): WorkingSet {
  const set = new WorkingSet('sqlite', openLedgerMemory());
  const ships = [ANNA, BERTA].map(({ name, port, value }) => [name, port, value]);
  set.expect(askedBy([need(PORTS, 'Kiel'), need(SHIPS_OF, 'Kiel'), ...needs]));
  set.load(PORTS as AnyTable, JSON.stringify([['Kiel', 2]]));
  set.load(SHIPS as AnyTable, JSON.stringify(ships));
  set.load(SHIPS_OF as AnyTable, JSON.stringify(ships.map((cells) => ['Kiel', ...cells])));
  return set;
}

function run<T>(
  set: WorkingSet,
  decide: (db: Decider) => T,
  more: Partial<Transaction<T>> = {},
): Attempt {
  return set.run({ needs: [], ...more, decide });
}

function answerOf<T>(set: WorkingSet, decide: (db: Decider) => T): unknown {
  const attempt = run(set, decide);
  assert.ok(attempt.ok, JSON.stringify(attempt));
  return attempt.answer;
}

const changesOf = (set: WorkingSet): readonly string[] =>
  effectsOf(set, [PORTS, SHIPS, LINES] as readonly unknown[] as readonly AnyTable[]).map(
    ({ name, rows }) => `${name.replace(/_[0-9a-f]+$/, '')} ${JSON.stringify(rows)}`,
  );
const missingOf = (attempt: Attempt): readonly string[] => {
  assert.ok(attempt.ok === undefined, JSON.stringify(attempt));
  return attempt.missing.map(({ table: { name }, key }) => `${name} ${JSON.stringify(key)}`);
};

describe('the working set of a batch', () => {
  it('shows rows as they stand, and writes those that changed', () => {
    const set = loaded();
    run(set, (db) => db.put(SHIPS, 'Anna', { ...ANNA, value: 6 }));
    run(set, (db) => db.remove(SHIPS, 'Berta'));
    assert.deepEqual(
      answerOf(set, (db) => [db.find(SHIPS, 'Anna')?.value, db.find(SHIPS, 'Berta')]),
      [6, undefined],
    );
    assert.deepEqual(changesOf(set), [
      'effect_ships_changed [["Anna",6,5]]',
      'effect_ships_removed [["Berta",7]]',
    ]);
  });

  it('keeps what a batch changed, and removed, when the rows are read again', () => {
    const set = loaded(need(PORTS, 'Bremen'));
    run(set, (db) => {
      db.put(SHIPS, 'Anna', { ...ANNA, value: 6 });
      db.remove(SHIPS, 'Berta');
      db.put(PORTS, 'Bremen', { name: 'Bremen', ships: 1 });
    });
    set.load(SHIPS as AnyTable, '[["Anna","Kiel",5],["Berta","Kiel",7]]');
    set.load(PORTS as AnyTable, '[["Bremen",9]]');
    assert.deepEqual(
      answerOf(set, (db) => [
        db.find(SHIPS, 'Anna')?.value,
        db.find(SHIPS, 'Berta'),
        db.find(PORTS, 'Bremen')?.ships,
      ]),
      [6, undefined, 1],
    );
  });

  it('keeps how a row was read, whatever became of it', () => {
    const set = loaded(need(PORTS, 'Bremen'));
    run(set, (db) => db.remove(SHIPS, 'Berta'));
    run(set, (db) => db.put(PORTS, 'Bremen', { name: 'Bremen', ships: 1 }));
    assert.notEqual(set.slot(SHIPS as AnyTable, 'Berta')?.before, undefined);
    assert.equal(set.slot(PORTS as AnyTable, 'Bremen')?.before, undefined);
    assert.equal(set.slot(LINES as AnyTable, 'Anna'), undefined);
  });

  it('takes back what a refused transaction did, and keeps what it admitted', () => {
    const set = loaded();
    const attempt = run(
      set,
      (db) => {
        db.put(SHIPS, 'Anna', { ...ANNA, value: 1 });
        db.remove(SHIPS, 'Berta');
        db.insert(LINES, 'l2', { id: 'l2', text: 'refused' });
        db.publish('refused');
        db.afterCommit(() => undefined);
        throw new Error('no');
      },
      {
        admit(db) {
          db.insert(LINES, 'l1', { id: 'l1', text: 'admitted' });
          db.publish('admitted');
        },
      },
    );
    assert.equal(attempt.ok, false);
    assert.deepEqual(changesOf(set), ['effect_lines [["l1","admitted"]]']);
    assert.deepEqual(set.topics, ['admitted']);
    assert.deepEqual(set.hooks, []);
    // Nothing is left that the next one would have to run after.
    assert.deepEqual(
      answerOf(set, (db) => db.list(SHIPS_OF, 'Kiel')),
      [ANNA, BERTA],
    );
  });

  it('names all rows at once that a transaction asks for and that are not there', () => {
    const set = loaded();
    const asking = run(set, (db) => {
      db.ask([need(PORTS, 'Kiel'), need(PORTS, 'Bremen'), need(SHIPS_OF, 'Bremen')]);
    });
    assert.deepEqual(missingOf(asking), ['ports "Bremen"', 'ships_of "Bremen"']);
    const putting = run(set, (db) => db.put(PORTS, 'Bremen', { name: 'Bremen', ships: 0 }));
    assert.deepEqual(missingOf(putting), ['ports "Bremen"']);
    const unread = run(set, (db) => db.find(LINES, 'l1'));
    assert.match(String('error' in unread && unread.error), /lines l1 cannot be read/);
  });

  it('shows a transaction the rows that it inserted itself, as they stand', () => {
    const set = loaded(need(PORTS, 'Bremen'));
    const bremen = { name: 'Bremen', ships: 0 };
    assert.deepEqual(
      answerOf(set, (db) => {
        assert.deepEqual(db.added(PORTS), []);
        db.put(PORTS, 'Kiel', { ...KIEL, ships: 3 });
        db.put(PORTS, 'Bremen', bremen);
        db.put(PORTS, 'Bremen', { ...bremen, ships: 1 });
        for (const id of ['l1', 'l2']) db.insert(LINES, id, { id, text: 'new' });
        return [db.added(PORTS), db.added(LINES).map(({ id }) => id)];
      }),
      [[{ ...bremen, ships: 1 }], ['l1', 'l2']],
    );
    assert.deepEqual(
      answerOf(set, (db) => db.added(PORTS)),
      [],
      'of another transaction',
    );
    const gone = { name: 'Gaia', port: 'Kiel', value: 1 };
    assert.deepEqual(
      answerOf(loaded(need(SHIPS, 'Gaia')), (db) => {
        db.put(SHIPS, 'Gaia', gone);
        db.remove(SHIPS, 'Gaia');
        return db.added(SHIPS);
      }),
      [],
    );
  });

  it('refuses a change that the description of a table does not have', () => {
    const set = loaded();
    run(set, (db) => db.remove(PORTS, 'Kiel'));
    assert.throws(() => changesOf(set), /ports is not written like this/);
    assert.throws(() => set.load(LINES as AnyTable, '[["l1"]]'), /holds/);
  });

  it('gives a transaction the same ids and start in each run, in their order', () => {
    let now = 0;
    const clock = { now: () => instant((now += 1)) };
    const unit: Transaction<string> = {
      needs: [],
      decide: (db) => `${db.newId({ uuid })} ${db.newId({ uuid })} ${db.startedAt(clock)}`,
    };
    const set = loaded();
    const [first, second] = [set.run(unit), loaded().run(unit)];
    assert.deepEqual(second, first);
    const answer = String(first.ok === true && first.answer).split(' ');
    assert.equal(new Set(answer).size, 3, answer.join());
    assert.notDeepEqual(set.run({ ...unit }), first);
    const planned = set.run({ ...unit, startedAt: instant(100) });
    assert.match(String(planned.ok === true && planned.answer), / 100$/);
  });

  it('counts what the key of a transaction spends in it, from nothing at each run', () => {
    const spender = { keyId: keyIdOf(new Uint8Array(32).fill(7)), account: person() };
    const set = loaded();
    const spend = (db: Decider): unknown => {
      const { spending } = db;
      if (spending !== undefined) db.spending = { ...spending, taken: spending.taken + 5n };
      return db.spending;
    };
    const once = { ...spender, taken: 5n, credits: [] };
    for (let nth = 0; nth < 2; nth += 1)
      assert.deepEqual(run(set, spend, { spender }), { ok: true, answer: once });
    const credits = [{ keyId: spender.keyId, at: instant(1), amount: atomic(2n) }];
    const more = run(set, spend, { spender: { ...once, credits } });
    assert.deepEqual(more, { ok: true, answer: { ...once, taken: 10n, credits } });
    assert.deepEqual(run(set, spend), { ok: true, answer: undefined });
  });

  it('takes topics of 1 to 200 characters', () => {
    const set = loaded();
    const longest = 'x'.repeat(TOPIC_LENGTH_MAX);
    for (const topic of ['', `${longest}x`]) {
      const attempt = run(set, (db) => db.publish(topic));
      assert.match(String('error' in attempt && attempt.error), /1 to 200 characters/);
    }
    for (const topic of ['y', longest]) run(set, (db) => db.publish(topic));
    assert.deepEqual(set.topics, ['y', longest]);
  });

  it('puts off a transaction that reads a list under whose parent another one wrote', () => {
    const set = loaded(need(SHIPS, 'Gaia'));
    const isKept = answerOf(set, (db) => {
      db.put(SHIPS, 'Anna', { ...ANNA, value: 6 });
      return db.list(SHIPS_OF, 'Kiel').length;
    });
    assert.equal(isKept, 2, 'its own rows');
    assert.deepEqual(missingOf(run(set, (db) => db.list(SHIPS_OF, 'Kiel'))), []);
    const absent = loaded(need(SHIPS, 'Gaia'));
    run(absent, (db) => db.remove(SHIPS, 'Gaia'));
    assert.deepEqual(
      answerOf(absent, (db) => db.list(SHIPS_OF, 'Kiel')),
      [ANNA, BERTA],
      'nothing was removed',
    );
    const removed = loaded();
    run(removed, (db) => db.remove(SHIPS, 'Anna'));
    assert.deepEqual(missingOf(run(removed, (db) => db.list(SHIPS_OF, 'Kiel'))), []);
  });
});

describe('a working set that was read beside the batch before it', () => {
  it('takes over the rows which that changed, and nothing else', () => {
    const [earlier, later] = [loaded(need(PORTS, 'Bremen')), loaded(need(PORTS, 'Bremen'))];
    run(earlier, (db) => {
      db.put(PORTS, 'Bremen', { name: 'Bremen', ships: 1 });
      db.insert(LINES, 'l1', { id: 'l1', text: 'of the earlier' });
    });
    const own = loaded(need(PORTS, 'Bremen'));
    own.follow(later);
    assert.deepEqual(
      answerOf(own, (db) => db.find(PORTS, 'Bremen')),
      undefined,
    );
    later.follow(earlier);
    assert.deepEqual(
      answerOf(later, (db) => [db.find(PORTS, 'Bremen')?.ships, db.find(PORTS, 'Kiel')]),
      [1, KIEL],
    );
    assert.deepEqual(changesOf(later), []);
    run(later, (db) => db.put(PORTS, 'Bremen', { name: 'Bremen', ships: 2 }));
    assert.deepEqual(changesOf(later), ['effect_ports_changed [["Bremen",2,1]]']);
  });

  it('finds no row that was removed', () => {
    const [earlier, later] = [loaded(), loaded()];
    run(earlier, (db) => db.remove(SHIPS, 'Anna'));
    later.follow(earlier);
    assert.equal(
      answerOf(later, (db) => db.find(SHIPS, 'Anna')),
      undefined,
    );
  });

  it('reads a list again under whose parent that wrote, and no other', () => {
    const bremen = [need(PORTS, 'Bremen'), need(SHIPS_OF, 'Bremen')];
    const [earlier, later] = [loaded(...bremen), loaded(...bremen)];
    run(earlier, (db) => db.put(SHIPS, 'Anna', { ...ANNA, value: 6 }));
    later.follow(earlier);
    assert.deepEqual(
      answerOf(later, (db) => db.list(SHIPS_OF, 'Bremen')),
      [],
    );
    assert.deepEqual(missingOf(run(later, (db) => db.list(SHIPS_OF, 'Kiel'))), ['ships_of "Kiel"']);
  });
});
