import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';
import { bytes, digestsOf, entriesOf, receipts, sequence, type Body } from './_log.ts';

const ENTRIES = '/api/v1/log/tile/entries';

describe('entries at log.tile', () => {
  let world: Fixture;
  let made: readonly Body[] = [];
  before(async () => {
    world = await openFixture();
    made = await receipts(world.alice, 5);
    await sequence(world);
  });
  after(() => world.close());

  it('has a kind and a digest of each receipt, and nothing else of it', async () => {
    const entries = entriesOf(await bytes(world, 'tile/entries/000.p/5'));
    const digests = made.flatMap(digestsOf);
    for (const entry of entries) {
      const { digest, ...rest } = JSON.parse(entry) as Body;
      assert.deepEqual(rest, { kind: 'call', v: 1 });
      assert.ok(digests.includes(String(digest)));
    }
    assert.equal(new Set(entries).size, 5);
    const text = entries.join('');
    for (const each of made) {
      for (const member of ['id', 'caller', 'at']) assert.ok(!text.includes(String(each[member])));
    }
  });

  it('has the beginning of a wider bundle', async () => {
    const five = entriesOf(await bytes(world, 'tile/entries/000.p/5'));
    assert.deepEqual(entriesOf(await bytes(world, 'tile/entries/000.p/2')), five.slice(0, 2));
  });

  it('refuses a name that no bundle has, and one behind the log', async () => {
    for (const name of ['0', '000.p/0', '000.p/256', 'x000/000']) {
      mustRefuse(await world.anyone.get(`${ENTRIES}/${name}`), 400, 'bad-tile');
    }
    for (const name of ['000', '000.p/6', '001.p/1', 'x999/x999/x999/x999/999']) {
      mustRefuse(await world.anyone.get(`${ENTRIES}/${name}`), 404, 'not-found');
    }
  });
});
