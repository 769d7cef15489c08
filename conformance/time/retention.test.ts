import assert from 'node:assert/strict';
import { mustRefuse } from '../harness/must.ts';
import { digestOf, onEachDatabase, type TimeApp } from './_site.ts';
import { merkleRoot, mustKeep } from './_verify.ts';

const DAYS_KEPT = 90;
const DAY_SECONDS = 86_400;

/** A minute past their time the rows go. */
async function retire({ hub }: TimeApp): Promise<void> {
  hub.clock.advance(120);
  await hub.runJob('retireLeaves');
}

const TABLES = ['time_pulses', 'time_chain', 'time_minutes', 'hub_keys', 'seals', 'transfers'];

async function rowsOf({ hub }: TimeApp): Promise<Readonly<Record<string, number>>> {
  const counts = [...TABLES, 'time_leaves', 'time_tiles'].map((table) =>
    hub.running.hub.store.read(async (db) => {
      const [row] = await db.knex<object>(table).count({ rows: '*' });
      return [table, Number(row?.rows)] as const;
    }),
  );
  return Object.fromEntries(await Promise.all(counts));
}

onEachDatabase('the leaves of a minute', (newSite) => {
  it(`can be proved for ${DAYS_KEPT} days, and are gone after that`, async () => {
    const site = await newSite();
    const app = await site.start();
    const promise = await app.promise(digestOf('a'));
    const named = [promise.body.pulse, 0];
    await app.minute();
    const proof = await app.proof(digestOf('a'));
    site.clock.advance(DAYS_KEPT * DAY_SECONDS - 61);
    await app.hub.runJob('retireLeaves');
    for (const pulse of [...named, undefined]) {
      assert.deepEqual(await app.proof(digestOf('a'), pulse), proof);
    }
    site.clock.advance(1);
    // Whether the rows are dropped already changes nothing of the answers.
    for (const dropped of [false, true]) {
      if (dropped) await retire(app);
      for (const pulse of named) {
        const gone = mustRefuse(await app.ask(digestOf('a'), pulse), 410, 'leaves-retired');
        assert.match(
          String(gone['error']),
          /2026-11-20T10:00:00Z were retired at 2027-02-18T10:00:00/,
        );
      }
      mustRefuse(await app.ask(digestOf('a')), 404, 'not-found');
    }
    mustKeep(promise, proof);
    assert.deepEqual(await app.pulse(0), proof.pulse);
  });

  it('are 410 for every minute past retention, of a younger hub as well', async () => {
    const site = await newSite();
    const app = await site.start();
    await app.minute();
    for (const pulse of ['2026-01-01T00:00:00Z', '2000-01-01T00:00:00Z']) {
      mustRefuse(await app.ask(digestOf('a'), pulse), 410, 'leaves-retired');
    }
    mustRefuse(await app.ask(digestOf('a'), '2026-11-01T00:00:00Z'), 404, 'not-found');
  });

  it('counts late ones by the minute that they were promised to', async () => {
    const site = await newSite();
    const app = await site.start();
    const early = await app.promise(digestOf('a'));
    await site.stop(app);
    site.clock.advance(2 * DAY_SECONDS);
    const again = await site.start();
    const own = await again.promise(digestOf('b'));
    await again.minute();
    mustKeep(early, await again.proof(digestOf('a'), 0));
    site.clock.advance((DAYS_KEPT - 2) * DAY_SECONDS);
    for (const dropped of [false, true]) {
      if (dropped) await retire(again);
      for (const pulse of [early.body.pulse, 0]) {
        mustRefuse(await again.ask(digestOf('a'), pulse), 410, 'leaves-retired');
      }
      mustKeep(own, await again.proof(digestOf('b'), 0));
    }
  });

  it('are dropped with their tiles, and nothing else is', async () => {
    const site = await newSite();
    const app = await site.start();
    const old = Array.from({ length: 5 }, (_, n) => digestOf(`old ${n}`));
    for (const digest of old) await app.promise(digest);
    await app.minute();
    site.clock.advance(DAY_SECONDS);
    const young = await app.promise(digestOf('young'));
    await app.minute();
    const before = await rowsOf(app);
    assert.deepEqual([before['time_leaves'], before['time_tiles']], [6, 2]);
    site.clock.advance((DAYS_KEPT - 1) * DAY_SECONDS);
    await retire(app);
    const after = await rowsOf(app);
    assert.deepEqual(after, { ...before, time_leaves: 1, time_tiles: 1 });
    mustKeep(young, await app.proof(digestOf('young')));
    assert.equal((await app.pulse(0)).body.root, merkleRoot(old));
  });

  it('are kept until they are hashed, however late that is', async () => {
    const site = await newSite();
    const app = await site.start();
    await app.promise(digestOf('a'));
    site.clock.advance((DAYS_KEPT + 5) * DAY_SECONDS);
    await retire(app);
    await app.issue();
    const { leaves, root } = (await app.pulse('head')).body;
    assert.deepEqual([leaves, root], [1, merkleRoot([digestOf('a')])]);
  });
});
