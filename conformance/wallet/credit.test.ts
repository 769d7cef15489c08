import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { walletPath } from './_signed.ts';

const EACH_MAX = '1000000000';

describe('wallet.credit', () => {
  let world: Fixture;
  let keys = 0;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const credit = (owner: string, over: Readonly<Record<string, unknown>> = {}) =>
    world.anyone.post(`/api/v1/wallet/${owner}/credit`, {
      amount: '1000',
      idempotencyKey: `credit-${(keys += 1)}`,
      ...over,
    });

  it('gives test money without a signature, and says nothing of the balance', async () => {
    const agent = await world.agent();
    const given = mustOk(await credit(agent.keyId, { amount: '5000000', note: 'first money' }));
    assert.deepEqual(
      { ...given, transferId: '', at: '' },
      {
        transferId: '',
        owner: agent.account,
        amount: '5000000',
        asset: 'USDC',
        network: 'sandbox',
        note: 'first money',
        leftToday: '9995000000',
        at: '',
        repeated: false,
      },
    );
    const page = mustOk(await agent.get(`${walletPath(agent)}/statement`));
    assert.deepEqual(
      (page['entries'] as readonly Record<string, unknown>[]).map((entry) => [
        entry['reason'],
        entry['amount'],
        entry['counterparty'],
        entry['memo'],
      ]),
      [['faucet', '5000000', 'external:faucet', 'first money']],
    );
  });

  it('gives once for a key, and another amount under it not at all', async () => {
    const agent = await world.agent();
    const idempotencyKey = 'the same';
    const first = mustOk(await credit(agent.account, { idempotencyKey }));
    const again = mustOk(await credit(agent.keyId, { idempotencyKey }));
    assert.deepEqual(again, { ...first, repeated: true });
    const other = await credit(agent.account, { idempotencyKey, amount: '1001' });
    mustRefuse(other, 400, 'idempotency-mismatch');
    assert.equal(mustOk(await agent.get(walletPath(agent)))['balance'], '1000');
  });

  it('gives at most 1000 USDC a request', async () => {
    const agent = await world.agent();
    mustOk(await credit(agent.account, { amount: EACH_MAX }));
    mustRefuse(await credit(agent.account, { amount: '1000000001' }), 400, 'faucet-cap');
    assert.equal(mustOk(await agent.get(walletPath(agent)))['balance'], EACH_MAX);
  });

  it('gives at most 10000 USDC a UTC day, and again after midnight', async () => {
    const agent = await world.agent();
    for (let count = 1; count <= 10; count += 1) {
      const given = mustOk(await credit(agent.account, { amount: EACH_MAX }));
      assert.equal(given['leftToday'], `${10_000_000_000 - count * 1_000_000_000}`);
    }
    const idempotencyKey = 'the eleventh';
    const refused = mustRefuse(
      await credit(agent.account, { amount: '1', idempotencyKey }),
      400,
      'faucet-cap',
    );
    const toMidnight = 86_400 - Math.floor((world.hub.clock.now() / 1000) % 86_400);
    world.hub.clock.advance(toMidnight);
    assert.equal(refused['retryAfterSeconds'], toMidnight);
    const given = mustOk(await credit(agent.account, { amount: '1', idempotencyKey }));
    assert.equal(given['leftToday'], '9999999999');
  });

  it('counts each account by itself', async () => {
    const [one, two] = [await world.agent(), await world.agent()];
    mustOk(await credit(one.account, { amount: EACH_MAX }));
    assert.equal(mustOk(await credit(two.account))['leftToday'], '9999999000');
  });

  for (const owner of ['hub:fees', 'hub:demand', 'external:faucet', `evm:0x${'ab'.repeat(20)}`]) {
    it(`gives nothing to ${owner}`, async () => {
      mustRefuse(await credit(owner), 400, 'faucet-account');
    });
  }

  for (const network of ['base', 'play']) {
    it(`gives nothing on ${network}`, async () => {
      const refused = mustRefuse(
        await credit(world.bob.account, { network }),
        400,
        'network-refused',
      );
      assert.deepEqual(refused['allowed'], ['sandbox']);
    });
  }

  it('refuses an unknown network with the list that works', async () => {
    const refused = mustRefuse(
      await credit(world.bob.account, { network: 'moon' }),
      400,
      'network-unknown',
    );
    assert.deepEqual(refused['allowed'], ['sandbox', 'base', 'play']);
  });

  it('refuses to give nothing', async () => {
    mustRefuse(await credit(world.bob.account, { amount: '0' }), 400, 'below-minimum');
  });

  it('refuses in the order of the contract', async () => {
    const all = { network: 'moon', amount: '0' };
    mustRefuse(await credit('hub:fees', all), 400, 'faucet-account');
    mustRefuse(await credit(world.bob.account, all), 400, 'network-unknown');
    mustRefuse(
      await credit(world.bob.account, { ...all, network: 'base' }),
      400,
      'network-refused',
    );
  });

  it('is off unless the operator turns it on', async () => {
    const closed = await openFixture({ env: { FAUCET_ENABLED: 'false' } });
    const path = `/api/v1/wallet/${closed.alice.account}/credit`;
    const body = { amount: '1', idempotencyKey: 'a' };
    mustRefuse(await closed.anyone.post(path, body), 400, 'faucet-off');
    await closed.close();
  });

  it('gives nothing on a hub of real money, though turned on', async () => {
    const real = await openFixture({ env: { HUB_NETWORK: 'base' } });
    const path = `/api/v1/wallet/${real.alice.account}/credit`;
    const body = { amount: '1', idempotencyKey: 'a' };
    mustRefuse(await real.anyone.post(path, body), 400, 'network-refused');
    await real.close();
  });
});
