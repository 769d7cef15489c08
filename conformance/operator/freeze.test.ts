import assert from 'node:assert/strict';
import { runCli } from '../../server/cli.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

hubsOnBothDatabases('hubctl freeze, hubctl thaw and hubctl account', (open) => {
  let world: Fixture;
  let second: Fixture;
  before(async () => {
    world = await open({ env: { HUB_LOG: 'silent' } });
    second = await open({ clock: world.hub.clock, env: { HUB_LOG: 'silent' } });
    await world.fund(world.alice, '1000');
  });

  const hub = async (...words: readonly string[]) => {
    const { databaseUrl, dataDir } = world.hub.running.hub.settings;
    let output = '';
    const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: dataDir };
    const code = await runCli(words, env, (text) => (output += text));
    for (const each of [world, second]) await each.hub.runJob('pauseCheck');
    return { code, output };
  };
  let count = 0;
  const pay = () =>
    world.alice.post(`/api/v1/wallet/${world.alice.account}/pay`, {
      to: world.bob.account,
      amount: '1',
      idempotencyKey: `pay ${(count += 1)}`,
    });
  const stranger = (at: Fixture) =>
    at.anyone.post(`/api/v1/wallet/${at.bob.account}/credit`, {
      amount: '1',
      idempotencyKey: `credit ${(count += 1)}`,
    });

  it('stop money in every process, let reads go on, and let it move again', async () => {
    mustOk(await pay());
    assert.equal((await hub('freeze', 'something is odd')).code, 0);
    mustRefuse(await pay(), 503, 'ledger-frozen');
    mustRefuse(await stranger(second), 503, 'ledger-frozen');
    mustOk(await world.alice.get(`/api/v1/wallet/${world.alice.account}`));
    assert.equal((await hub('freeze', 'again')).code, 1, 'it is so already');
    const third = await open({ clock: world.hub.clock, env: { HUB_LOG: 'silent' } });
    mustRefuse(await stranger(third), 503, 'ledger-frozen');
    await third.hub.runJob('pauseCheck');
    assert.equal((await hub('thaw')).code, 0);
    await third.hub.runJob('pauseCheck');
    for (const each of [second, third]) mustOk(await stranger(each));
    mustOk(await pay());
    assert.equal((await hub('thaw')).code, 1);
  });

  it('do not thaw a process that found its books wrong', async () => {
    second.hub.running.hub.store.freeze(world.hub.clock.now());
    await hub('freeze', 'both');
    await hub('thaw');
    mustRefuse(await stranger(second), 503, 'ledger-frozen');
    mustOk(await pay());
  });

  it('show an account by any of its names, and refuse what is none', async () => {
    const shown = await hub('account', world.alice.account);
    assert.equal(shown.code, 0, shown.output);
    assert.match(shown.output, /sandbox USDC, atomic units: \d+, held 0, spendable \d+/);
    assert.match(shown.output, new RegExp(`out 1 pay .*${world.bob.account}`));
    assert.equal((await hub('account', world.alice.keyId)).output, shown.output);
    assert.deepEqual((await hub('account', 'nobody')).code, 2);
    assert.match((await hub('account', 'hub:demand')).output, /hub:demand: karma 0/);
  });
});
