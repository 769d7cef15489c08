import assert from 'node:assert/strict';
import { at } from '../harness/must.ts';
import { receiptOf, walletOf } from '../router/_fixture.ts';
import { BASE_CHAIN_ID } from './_fixture.ts';
import { FORMS, startFormSeller, type FormSeller } from './_sellerForms.ts';
import { MONEY, openUpstream, paymentOf, PRICE, SUITE_MS_MAX, type Upstream } from './_upstream.ts';

/** Where a price stands and where its payment goes, for each place that x402 has (transports 1, 2). */
describe('agents of others that are paid on the chain where they quoted', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: Upstream<FormSeller>;
  before(async () => {
    const seller = await startFormSeller();
    world = await openUpstream(seller, 'sqlite::memory:', '6000,60000', BASE_CHAIN_ID);
  });
  after(() => world.close());

  for (const form of FORMS) {
    it(`are paid for a price quoted in ${form}`, async () => {
      const { seller, chain } = world;
      Object.assign(seller, { form });
      const [earned, runs] = [await chain.balanceOf(seller.payTo), seller.runs];
      const buyer = await world.buyer();
      const answer = await world.buy(buyer);
      const receipt = receiptOf(answer);
      assert.deepEqual([receipt['outcome'], receipt['cost']], ['served', String(PRICE)]);
      assert.equal(at(answer, 'result', 'content', 0, 'text'), 'sold');
      assert.equal(paymentOf(answer)['state'], 'settled');
      assert.equal(await chain.balanceOf(seller.payTo), earned + PRICE);
      assert.equal(seller.runs, runs + 1);
      assert.equal(seller.payments.at(-1)?.['x402Version'], form.startsWith('version 1') ? 1 : 2);
      assert.equal((await walletOf(buyer))['balance'], String(MONEY - PRICE));
    });

    it(`are not paid above maxPrice for a price quoted in ${form}`, async () => {
      const { seller } = world;
      Object.assign(seller, { form });
      const before = seller.payments.length;
      const buyer = await world.buyer();
      const answer = await world.buy(buyer, { maxPrice: String(PRICE - 1n) });
      const receipt = receiptOf(answer);
      assert.deepEqual([receipt['outcome'], receipt['payment']], ['priced', undefined]);
      assert.equal(seller.payments.length, before);
      assert.equal((await walletOf(buyer))['spendable'], String(MONEY));
    });
  }
});
