import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { statementsOf } from '../../conformance/harness/statements.ts';
import { uuid } from '../../conformance/ledger/book.ts';
import { BREAKERS } from '../router/calls.ts';
import type { Store } from '../store.ts';
import { need } from './need.ts';
import type { Decider } from './transaction.ts';

const row = (endpoint: string, faults: number) => ({ endpoint, faults });

onBothDatabases('a view', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });
  const put = (endpoint: string, faults: number): Promise<void> =>
    store.decide({
      needs: [need(BREAKERS, endpoint)],
      decide: (db) => db.put(BREAKERS, endpoint, row(endpoint, faults)),
    });
  const faultsOf = (db: Decider, endpoint: string): number | undefined =>
    db.find(BREAKERS, endpoint)?.faults;

  it('is answered by one statement when it names its rows', async () => {
    const [one, other] = [uuid(), uuid()];
    await put(one, 1);
    let answer: readonly (number | undefined)[] = [];
    const look = async (): Promise<void> => {
      answer = await store.look({
        needs: [need(BREAKERS, one), need(BREAKERS, other)],
        decide: (db) => [faultsOf(db, one), faultsOf(db, other)],
      });
    };
    // The first one of a process opens its connection.
    await look();
    const sent = await statementsOf(look);
    assert.deepEqual(answer, [1, undefined]);
    assert.equal(sent.length, 1);
  });

  it('reads everything again with a row that it did not name, so that its rows agree', async () => {
    const [one, other] = [uuid(), uuid()];
    await put(one, 1);
    await put(other, 2);
    let runs = 0;
    let changed: Promise<void> | undefined;
    const sums = await store.look({
      needs: [need(BREAKERS, one)],
      decide(db) {
        const first = faultsOf(db, one);
        runs += 1;
        changed ??= put(one, 5);
        return [first, faultsOf(db, other)];
      },
    });
    await changed;
    assert.equal(runs, 2);
    assert.equal(sums[1], 2);
    assert.deepEqual(await store.look({ needs: [], decide: (db) => faultsOf(db, one) }), 5);
  });

  it('passes on a refusal, and changes nothing', async () => {
    const one = uuid();
    const look = (decide: (db: Decider) => void): Promise<void> =>
      store.look({ needs: [], decide });
    await assert.rejects(
      look(() => {
        throw new Error('refused');
      }),
      /refused/,
    );
    await assert.rejects(
      look((db) => db.put(BREAKERS, one, row(one, 1))),
      /a view writes nothing/,
    );
    assert.equal(await store.look({ needs: [], decide: (db) => faultsOf(db, one) }), undefined);
  });
});
