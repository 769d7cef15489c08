import assert from 'node:assert/strict';
import { openLedgerMemory } from '../ledger/memory.ts';
import { askedBy } from './asked.ts';
import { integer, text } from './columns.ts';
import { openFlights } from './flights.ts';
import { list } from './list.ts';
import { type AnyTable, need, type Need, parentIn } from './need.ts';
import { table } from './table.ts';
import type { Decider } from './transaction.ts';
import { WorkingSet } from './workingSet.ts';

const PORTS = table('ports', { name: text().key(), ships: integer() });
const SHIPS = table(
  'ships',
  { name: text().key(), port: text().fixed() },
  { parent: parentIn(PORTS, ({ port }: { readonly port: string }) => port) },
);
const IN_PORT = list('in_port', SHIPS, {
  by: { port: text() },
  where: (key) => `t.port = ${key.port}`,
  order: 't.name',
  parent: parentIn(PORTS, (port: string) => port),
});

/** A batch that has read ports, each of which has a ship, and decided. */
function batch(needs: readonly Need[], decide: (db: Decider) => void = () => undefined) {
  const set = new WorkingSet('postgres', openLedgerMemory());
  const asked = askedBy(needs);
  set.expect(asked);
  const names = [...(asked.get(PORTS as AnyTable)?.keys() ?? [])];
  set.load(PORTS as AnyTable, JSON.stringify(names.map((name) => [name, 1])));
  assert.equal(set.run({ needs: [], decide }).ok, true);
  return set;
}
const call = (db: Decider): void => db.put(PORTS, 'Kiel', { name: 'Kiel', ships: 7 });
const launch = (db: Decider): void => db.insert(SHIPS, 'Anna', { name: 'Anna', port: 'Kiel' });

/** Whether a batch waits for another whose commit is under way. */
async function waits(set: WorkingSet, other: WorkingSet): Promise<boolean> {
  const flights = openFlights();
  let land: () => void = () => undefined;
  const commit = new Promise<void>((resolve) => (land = resolve));
  const flown = flights.fly(other, () => commit);
  let isOver = false;
  const waited = flights.waited(set).finally(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  const hasWaited = !isOver;
  land();
  await flown;
  assert.equal(await waited, hasWaited);
  return hasWaited;
}

describe('batches of one process that are under way at once', () => {
  const kiel = need(PORTS, 'Kiel');
  const bremen = need(PORTS, 'Bremen');
  const ships = need(IN_PORT, 'Kiel');

  it('go on beside each other when they share no row, or change none that they share', async () => {
    assert.equal(await waits(batch([kiel], call), batch([bremen])), false);
    assert.equal(await waits(batch([kiel]), batch([kiel])), false);
  });

  it('wait for the one that changes what they read, or reads what they change', async () => {
    assert.equal(await waits(batch([kiel]), batch([kiel], call)), true);
    assert.equal(await waits(batch([kiel], call), batch([kiel])), true);
  });

  it('wait for the one that adds to a list that they read', async () => {
    assert.equal(await waits(batch([ships]), batch([kiel], launch)), true);
    assert.equal(await waits(batch([kiel], launch), batch([ships])), true);
    assert.equal(await waits(batch([bremen]), batch([kiel], launch)), false);
  });

  it('do not wait for a commit that has failed', async () => {
    const flights = openFlights();
    const other = batch([kiel], call);
    await assert.rejects(
      flights.fly(other, () => Promise.reject(new Error('refused'))),
      /refused/,
    );
    assert.equal(await flights.waited(batch([kiel])), false);
  });
});
