import assert from 'node:assert/strict';
import { readLog } from '../../db/log/log.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import {
  checkpoint,
  digestsOf,
  enqueue,
  mustBeWhole,
  receipts,
  sequence,
  sequenceError,
} from './_log.ts';

/** The steps of one batch, each of which writes a table of its own. */
const STEPS = ['log_leaves', 'log_tiles', 'log_checkpoints'];

hubsOnBothDatabases('the sequence of the log', (open) => {
  let world: Fixture;
  before(async function start() {
    this.timeout(60_000);
    world = await open();
  });

  it('has every receipt once, in batches that follow each other', async function batches() {
    this.timeout(60_000);
    const made = await receipts(world.alice, 20);
    await enqueue(world, 700);
    await sequence(world);
    const entries = (await mustBeWhole(world)).join('\n');
    assert.equal((await checkpoint(world)).size, 720);
    for (const digest of made.flatMap(digestsOf)) assert.ok(entries.includes(digest));
    await sequence(world);
    assert.equal((await checkpoint(world)).size, 720, 'nothing is logged twice');
  });

  it('is not changed by a batch that breaks off between two of its steps', async function broken() {
    this.timeout(60_000);
    const { hub } = world.hub.running;
    for (const [at, table] of STEPS.entries()) {
      await enqueue(world, 3);
      const before = await checkpoint(world);
      await hub.store.write(({ knex }) => knex.raw(`ALTER TABLE ${table} RENAME TO ${table}_away`));
      assert.ok((await sequenceError(world)) !== undefined);
      await hub.store.write(({ knex }) => knex.raw(`ALTER TABLE ${table}_away RENAME TO ${table}`));
      assert.deepEqual(await checkpoint(world), before, table);
      assert.equal((await hub.store.read((db) => readLog(db))).size, before.size);
      await sequence(world);
      assert.equal((await checkpoint(world)).size, 720 + 3 * (at + 1));
      await mustBeWhole(world);
    }
  });

  it('is one log when two processes add to it at once', async function two() {
    this.timeout(120_000);
    const second = await open({ clock: world.hub.clock });
    for (let round = 0; round < 5; round += 1) {
      await enqueue(world, 60);
      await Promise.all([world, second, world, second].map(sequence));
    }
    await sequence(world);
    const entries = await mustBeWhole(world);
    assert.equal(entries.length, 720 + 9 + 300);
    const shown = (await second.anyone.get('/api/v1/log/checkpoint')).text;
    assert.equal(shown, (await world.anyone.get('/api/v1/log/checkpoint')).text);
  });

  it('waits while the clock has stepped back, and then goes on', async () => {
    world.hub.clock.advance(60);
    await world.hub.runJob('pulse');
    const { size } = await checkpoint(world);
    world.hub.clock.jump(-600_000);
    await enqueue(world, 1);
    await sequence(world);
    assert.equal((await checkpoint(world)).size, size);
    world.hub.clock.advance(661);
    await sequence(world);
    assert.equal((await checkpoint(world)).size, size + 1);
  });

  it('keeps its name when the hub moves to another address', async () => {
    const { origin } = mustOk(await world.anyone.get('/api/v1/log'));
    const moved = await open({
      clock: world.hub.clock,
      env: { HUB_BASE_URL: 'https://new.example' },
    });
    assert.equal(mustOk(await moved.anyone.get('/api/v1/log'))['origin'], origin);
  });
});

hubsOnBothDatabases('a log that several processes begin at once', (open) => {
  it('has one first checkpoint, and no process fails', async function begin() {
    this.timeout(60_000);
    const first = await open();
    const others = [first, await open(), await open()];
    await Promise.all([...others, ...others].map(sequence));
    assert.equal((await checkpoint(first)).size, 0);
    await enqueue(first, 3);
    await Promise.all([...others, ...others].map(sequence));
    await mustBeWhole(first);
    assert.equal((await checkpoint(first)).size, 3);
  });
});
