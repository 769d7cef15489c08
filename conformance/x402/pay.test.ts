import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { mustOk } from '../harness/must.ts';
import { at } from '../harness/must.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  callBody,
  newPayer,
  openPaidFixture,
  payV1,
  payV2,
  PRICE,
  quoteFor,
  receiptsIn,
  SUITE_MS_MAX,
  type PaidFixture,
} from './_fixture.ts';

for (const [database, open] of DATABASES) {
  describe(`a call that is paid over x402 (${database})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: PaidFixture;
    before(async () => {
      world = await openPaidFixture({ databaseUrl: await open() });
    });
    after(() => world.close());

    it('is quoted in both versions at once, with what is missing and where to pay it', async () => {
      const { agent } = await newPayer(world, 0n);
      const { v1, v2 } = await quoteFor(agent, callBody(world, agent));
      assert.deepEqual(
        [v1['scheme'], v1['network'], v1['maxAmountRequired'], v1['extra']],
        ['exact', 'base', PRICE, { name: 'USD Coin', version: '2' }],
      );
      assert.deepEqual(
        [v2['network'], v2['amount'], v2['asset'], v2['payTo']],
        ['eip155:8453', PRICE, v1['asset'], v1['payTo']],
      );
      assert.equal(String(v1['resource']), `${world.hub.url}/api/v1/call`);
    });

    const versions = [
      ['1', payV1],
      ['2', payV2],
    ] as const;
    for (const [version, pay] of versions) {
      it(`settles, credits and runs with a payment of version ${version}`, async () => {
        const { agent, wallet, call } = await newPayer(world, 20_000n);
        const body = callBody(world, agent);
        const quote = await quoteFor(agent, body);
        const treasury = quote.v1['payTo'] as `0x${string}`;
        const before = await world.chain.balanceOf(treasury);
        const answer = await call(body, await pay(world, wallet, quote));
        assert.equal(at(mustOk(answer), 'receipt', 'outcome'), 'served');
        assert.equal(await world.chain.balanceOf(wallet.address), 15_000n);
        assert.equal(await world.chain.balanceOf(treasury), before + 5_000n);
        assert.deepEqual(await walletOf(agent), { balance: '0', held: '0', spendable: '0' });
        assert.equal(answer.headers.get('x-payment-balance'), '0');
        const [first, second] = receiptsIn(answer);
        const payer = wallet.address.toLowerCase();
        assert.deepEqual(
          [first['success'], first['payer'], first['network']],
          [true, payer, 'base'],
        );
        assert.deepEqual([second['network'], second['amount']], ['eip155:8453', PRICE]);
        const hash = second['transaction'] as `0x${string}`;
        assert.equal((await world.chain.client.getTransactionReceipt({ hash })).status, 'success');
        assert.equal(first['transaction'], hash);
      });
    }
  });
}
