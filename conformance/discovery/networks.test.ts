import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Body = Record<string, unknown>;

describe('discovery.networks', () => {
  const worlds: Fixture[] = [];
  const open = async (env: Readonly<Record<string, string>> = {}): Promise<Fixture> => {
    const world = await openFixture({ env });
    worlds.push(world);
    return world;
  };
  const read = async (world: Fixture): Promise<readonly Body[]> =>
    mustOk(await world.anyone.get('/api/v1/networks'))['networks'] as Body[];
  after(() => Promise.all(worlds.map((world) => world.close())));

  it('names every network with its terms, the default one first', async () => {
    const world = await open();
    const columns = ['id', 'kind', 'asset', 'decimals', 'isDefault', 'confirmations', 'faucet'];
    assert.deepEqual(
      (await read(world)).map((network) => columns.map((name) => network[name])),
      [
        ['sandbox', 'test', 'USDC', 6, true, 0, true],
        ['base', 'real', 'USDC', 6, false, 60, false],
        ['play', 'play', 'USDC', 6, false, 0, false],
      ],
    );
    const play = await open({ HUB_NETWORK: 'play' });
    const answer = mustOk(await play.anyone.get('/api/v1/networks'));
    assert.equal(answer['defaultNetwork'], 'play');
    const ids = (answer['networks'] as Body[]).map(({ id, isDefault }) => [id, isDefault]);
    assert.deepEqual(ids[0], ['play', true]);
    assert.equal(ids.filter(([, isDefault]) => isDefault).length, 1);
  });

  it('offers a faucet exactly where one gives', async () => {
    const faucet = async (world: Fixture) =>
      (await read(world)).filter((network) => network['faucet'] === true).map(({ id }) => id);
    const [on, off] = [await open(), await open({ FAUCET_ENABLED: 'false' })];
    assert.deepEqual([await faucet(on), await faucet(off)], [['sandbox'], []]);
    const credit = `/api/v1/wallet/${on.alice.account}/credit`;
    for (const { id, faucet: gives } of await read(on)) {
      const body = { amount: '1', network: id, idempotencyKey: `credit-on-${String(id)}` };
      const answer = await on.anyone.post(credit, body);
      if (gives === true) mustOk(answer);
      else mustRefuse(answer, 400, 'network-refused');
    }
    const [sandbox] = await read(off);
    assert.deepEqual(sandbox?.['deposit'], {
      available: false,
      how: 'POST /api/v1/wallet/{owner}/credit gives test money on request, up to a daily cap.',
      missing: ['FAUCET_ENABLED is off'],
    });
  });

  it('claims no rail and no watching that the hub has not got', async () => {
    const world = await open();
    for (const { id, watched, height, deposit, withdrawal } of await read(world)) {
      assert.deepEqual([watched, height], [false, undefined]);
      for (const rail of [deposit, withdrawal] as Body[]) {
        assert.equal(rail['available'], id === 'sandbox');
        assert.equal(Array.isArray(rail['missing']), rail['available'] === false);
      }
    }
  });
});
