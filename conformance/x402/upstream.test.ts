import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { readSettings } from '../../server/boot/config.ts';
import { openHub } from '../../server/boot/open.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { agentWith } from '../harness/agents.ts';
import { TREASURY } from '../harness/chain/hub.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { receiptOf, walletOf, type Body } from '../router/_fixture.ts';
import { walletPath } from '../wallet/_signed.ts';
import { startSeller, type Seller } from './_seller.ts';
import {
  MONEY,
  openUpstream,
  paymentOf,
  PRICE,
  receiptsOf,
  SUITE_MS_MAX,
  TREASURE,
  type Upstream,
} from './_upstream.ts';

function suiteOn(title: string, databaseUrl: () => Promise<string>): void {
  describe(`agents of others that are paid on the chain (${title})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Upstream<Seller>;
    let { tool }: Partial<Seller> = {};
    before(async () => {
      world = await openUpstream(await startSeller(), await databaseUrl(), '6000,60000');
      ({ tool } = world.seller);
    });
    after(() => world.close());
    afterEach(() => {
      const { seller } = world;
      Object.assign(seller, { tool, afterSettle: () => undefined, settles: true });
    });

    it('are paid from the wallet, and the caller is charged with the transaction', async () => {
      const { chain, seller } = world;
      const buyer = await world.buyer();
      const [earned, kept] = [await chain.balanceOf(seller.payTo), await held()];
      const answer = await world.buy(buyer);
      const receipt = receiptOf(answer);
      assert.deepEqual([receipt['outcome'], receipt['cost']], ['served', String(PRICE)]);
      const payment = paymentOf(answer);
      assert.deepEqual(
        [payment['state'], payment['amount'], payment['payTo']],
        ['settled', String(PRICE), seller.payTo],
      );
      const hash = payment['transaction'] as `0x${string}`;
      const mined = await chain.client.getTransactionReceipt({ hash });
      assert.equal(mined.status, 'success');
      assert.equal(await chain.balanceOf(seller.payTo), earned + PRICE);
      assert.equal(await held(), kept - PRICE);
      const left = String(MONEY - PRICE);
      assert.deepEqual(await walletOf(buyer), { balance: left, held: '0', spendable: left });
      const statement = mustOk(await buyer.get(`${walletPath(buyer)}/statement`));
      const reasons = (statement['entries'] as Body[]).map(({ reason }) => reason);
      assert.ok(reasons.includes('x402.pay'), reasons.join());
      assert.deepEqual((await receiptsOf(buyer))[0]?.['payment'], payment);
      await world.hub.runJob('backing');
    });

    it('never above maxPrice, and no seller twice for one key', async () => {
      const buyer = await world.buyer();
      const { runs } = world.seller;
      const dear = receiptOf(await world.buy(buyer, { maxPrice: String(PRICE - 1n) }));
      assert.deepEqual([dear['outcome'], dear['payment']], ['priced', undefined]);
      const body = { idempotencyKey: 'same' };
      const first = await world.buy(buyer, body);
      const again = await world.buy(buyer, body);
      assert.deepEqual([again['receipt'], again['repeated']], [first['receipt'], true]);
      assert.equal(world.seller.runs, runs + 1);
      assert.equal((await walletOf(buyer))['balance'], String(MONEY - PRICE));
    });

    it('are not paid when they refuse after all, and the caller has the money back', async () => {
      world.seller.tool = (response) => {
        response.statusCode = 500;
        response.end('{}');
      };
      const buyer = await world.buyer();
      const answer = await world.buy(buyer);
      assert.equal(receiptOf(answer)['outcome'], 'failed');
      assert.equal(paymentOf(answer)['state'], 'open', 'it may still be taken');
      assert.deepEqual((await walletOf(buyer))['held'], String(PRICE));
      await world.pass(60);
      await world.hub.runJob('x402Upstream');
      assert.equal((await walletOf(buyer))['held'], String(PRICE), 'not before its end is final');
      await world.pass(400);
      await world.hub.runJob('x402Upstream');
      const all = String(MONEY);
      assert.deepEqual(await walletOf(buyer), { balance: all, held: '0', spendable: all });
      const [receipt] = await receiptsOf(buyer);
      assert.deepEqual(
        [receipt?.['cost'], at(receipt ?? {}, 'payment', 'state')],
        ['0', 'returned'],
      );
    });

    it('are charged, by the chain, when their answer is lost after they took the money', async () => {
      world.seller.afterSettle = (response) => void response.socket?.destroy();
      const buyer = await world.buyer();
      const answer = await world.buy(buyer);
      const receipt = receiptOf(answer);
      assert.deepEqual([receipt['outcome'], receipt['cost']], ['unknown', String(PRICE)]);
      assert.equal(paymentOf(answer)['state'], 'settled');
      const left = String(MONEY - PRICE);
      assert.deepEqual(await walletOf(buyer), { balance: left, held: '0', spendable: left });
    });

    it('end as returned when their facilitator is gone', async () => {
      world.seller.settles = false;
      const buyer = await world.buyer();
      const answer = await world.buy(buyer);
      assert.equal(receiptOf(answer)['outcome'], 'failed', receiptOf(answer)['why'] as string);
      await world.pass(400);
      await world.hub.runJob('x402Upstream');
      assert.equal((await walletOf(buyer))['spendable'], String(MONEY));
    });

    async function held(): Promise<bigint> {
      return world.chain.balanceOf(TREASURY.address);
    }
  });

  describe(`what the hub pays on the chain in a day (${title})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Upstream<Seller>;
    before(async () => {
      world = await openUpstream(await startSeller(), await databaseUrl(), '5000,15000');
    });
    after(() => world.close());

    it('has one ceiling over processes, in any order', async () => {
      const { running, clock } = world.hub;
      const settings = readSettings({
        ...world.env,
        HUB_PORT: String(await freePort()),
        HUB_DATABASE_URL: running.hub.settings.databaseUrl,
        HUB_DATA_DIR: running.hub.settings.dataDir,
        HUB_LOG: 'fatal',
      });
      const other = await openHub({ settings, clock, runJobs: false });
      try {
        const keys = [await generateKey(), await generateKey()];
        for (const key of keys) await world.buyer(key);
        const places = [world.hub, { url: other.url, clock }];
        const callers = keys.flatMap((key) => places.map((place) => agentWith(place, key)));
        const ends = await Promise.all(
          [...callers, ...callers].map(async (caller) => receiptOf(await world.buy(caller))),
        );
        // Which of them the seller's facilitator settles at once is its own matter.
        const paid = ends.filter(({ payment }) => payment !== undefined);
        assert.equal(paid.length, 3, ends.map(({ why }) => String(why)).join('\n'));
        const refused = ends.find(({ outcome }) => outcome === 'priced');
        assert.match(String(refused?.['why']), /at most 15000 a day/);
        const has = await world.chain.balanceOf(TREASURY.address);
        assert.ok(has >= TREASURE - 3n * PRICE, `${has}`);
      } finally {
        await other.close();
      }
    });

    it('starts over with the day', async () => {
      await world.hub.running.hub.store.write((tx) =>
        tx.knex('x402_upstream_days').decrement('day', 86_400_000),
      );
      const buyer = await world.buyer();
      assert.equal(receiptOf(await world.buy(buyer))['outcome'], 'served');
    });
  });
}

for (const [name, url] of DATABASES) {
  suiteOn(name, () => url(mkdtempSync(join(tmpdir(), 'hub-upstream-db-'))));
}

describe('the ceilings of payments on the chain', () => {
  const chain = { HUB_CHAIN_RPC: 'http://127.0.0.1:1', HUB_TREASURY_KEY: 'key' };
  const settingsOf = (text: string, env: Readonly<Record<string, string>> = chain) =>
    readSettings({ ...env, X402_PAY_UPSTREAM: text }).x402PayUpstream;

  it('are two amounts, and nothing is paid without them', () => {
    assert.deepEqual(settingsOf('5, 70'), { callMax: 5n, dayMax: 70n });
    assert.equal(settingsOf(''), undefined);
    for (const odd of ['5', '5,', '0,5', '6,5', '5,6,7', '-1,5', 'on', '1.5,2']) {
      assert.throws(() => settingsOf(odd), /X402_PAY_UPSTREAM is two amounts/, odd);
    }
  });

  it('need a chain and a wallet', () => {
    assert.throws(() => settingsOf('5,70', {}), /needs HUB_CHAIN_RPC/);
    const { HUB_CHAIN_RPC } = chain;
    assert.throws(() => settingsOf('5,70', { HUB_CHAIN_RPC }), /needs HUB_TREASURY_KEY/);
  });
});
