import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('wallet.withdrawals', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '900000000');
  });
  after(() => world.close());

  it('pages through them newest first and shows which can be recalled', async () => {
    const asked: unknown[] = [];
    for (let n = 0; n < 5; n += 1) {
      const body = { address: TO, amount: String(20_000 + n) };
      asked.unshift(
        mustOk(await world.alice.post(`${walletPath(world.alice)}/withdraw`, body))['id'],
      );
      world.hub.clock.advance(2);
    }
    const seen: unknown[] = [];
    let query = 'limit=2';
    for (let pages = 0; pages < 3; pages += 1) {
      const page = mustOk(await world.alice.get(`${walletPath(world.alice)}/withdrawals?${query}`));
      seen.push(...(page['withdrawals'] as { id: string }[]).map(({ id }) => id));
      query = `limit=2&after=${String(page['next'])}`;
      assert.equal(page['next'] === undefined, pages === 2);
    }
    assert.deepEqual(seen, asked);
    const page = mustOk(await world.alice.get(`${walletPath(world.alice)}/withdrawals`));
    const flags = (page['withdrawals'] as { recallable: boolean }[]).map((each) => each.recallable);
    assert.deepEqual(flags, [true, false, false, false, false]);
  });

  it('is empty for who withdrew nothing, and on another network', async () => {
    const page = mustOk(await world.bob.get(`${walletPath(world.bob)}/withdrawals`));
    assert.deepEqual([page['count'], page['withdrawals']], [0, []]);
    const base = mustOk(
      await world.alice.get(`${walletPath(world.alice)}/withdrawals?network=base`),
    );
    assert.equal(at(base, 'count'), 0);
  });

  it('refuses an unknown network', async () => {
    const path = `${walletPath(world.alice)}/withdrawals?network=mars`;
    mustRefuse(await world.alice.get(path), 400, 'network-unknown');
  });

  onlyTheOwner(() => world, 'GET', '/withdrawals');
});
