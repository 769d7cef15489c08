import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { freePort } from '../../clients/examples/freePort.ts';
import { listedSkill, probedListing } from '../../db/registry/fixture.ts';
import { saveListing } from '../../db/registry/listings.ts';
import { openStore } from '../../db/store.ts';
import { atomic } from '../../domain/money.ts';
import { newAgent } from '../harness/agents.ts';
import { startChain } from '../harness/chain/anvil.ts';
import { chainEnv, TREASURY } from '../harness/chain/hub.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { walletOf } from '../router/_fixture.ts';
import { walletPath } from '../wallet/_signed.ts';
import { startSeller, type Seller } from './_seller.ts';

const PRICE = 5_000n;
const MONEY = 2_000_000n;
const SUITE_MS_MAX = 120_000;

/** Where the hub is killed, as the seller sees it, and whether the seller has its money by then. */
type Place = readonly [string, (seller: Seller, reached: () => Promise<never>) => object, boolean];
const PLACES: readonly Place[] = [
  ['before the payment was seen', (_, reached) => ({ atPayment: reached }), false],
  ['while the seller works, the payment verified', (_, reached) => ({ tool: reached }), false],
  ['when it settled, before the answer', (_, reached) => ({ afterSettle: reached }), true],
];

function suiteOn(title: string, databaseUrl: (folder: string) => Promise<string>): void {
  for (const [what, hang, isTaken] of PLACES) {
    it(`${what}: ${isTaken ? 'charged once' : 'given back'} (${title})`, async function run() {
      this.timeout(SUITE_MS_MAX);
      const folder = await mkdtemp(join(tmpdir(), 'hub-upstream-kill-'));
      const [chain, seller] = [await startChain(), await startSeller()];
      await seller.sellOn(chain, String(PRICE));
      await chain.mint(TREASURY.address, MONEY);
      const env = {
        HUB_NETWORK: 'base',
        ...chainEnv(chain, folder),
        HUB_DATABASE_URL: await databaseUrl(folder),
        HUB_DATA_DIR: folder,
        HUB_ALLOW_PRIVATE_HOSTS: seller.site.pair,
        X402_PAY_UPSTREAM: '5000,50000',
      };
      const port = await freePort();
      const place = { url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } };
      const buyer = await newAgent(place);
      const first = await startProcess(env, port);
      const store = await openStore(env.HUB_DATABASE_URL);
      const listing = probedListing({ origin: seller.site.url, endpoint: seller.endpoint });
      const price = { amount: atomic(PRICE), asset: 'USDC' };
      const skills = [listedSkill('convert', { access: 'paid', price })];
      await store.write((tx) => saveListing(tx, { listing, skills }));
      const made = mustOk(await buyer.post(`${walletPath(buyer)}/deposit-address`));
      await chain.mint(made['address'] as `0x${string}`, MONEY);
      await chain.mine(7);
      const balance = async (): Promise<unknown> => (await walletOf(buyer))['balance'];
      await until(async () => (await balance()) === String(MONEY));

      const reached = new Promise<void>((resolve) => {
        const stay = (): Promise<never> => {
          resolve();
          return new Promise(() => undefined);
        };
        Object.assign(seller, hang(seller, stay));
      });
      const body = {
        caller: buyer.account,
        agentId: listing.id,
        operation: 'convert',
        maxPrice: String(PRICE),
        idempotencyKey: 'one',
      };
      const cutOff = buyer.post('/api/v1/call', body).catch(() => 'gone');
      await reached;
      await first.kill();
      assert.equal(await cutOff, 'gone');
      const held = await store.read((db) => db.knex('x402_upstream').select('state', 'nonce'));
      assert.deepEqual(
        held.map(({ state }) => state as string),
        ['open'],
        'it was on record before it was sent',
      );

      // The waits of the call and of the check after its payment are over.
      await store.write((tx) => tx.knex('calls').update({ resolve_at: 1 }));
      await store.write((tx) => tx.knex('x402_upstream').update({ check_at: 1 }));
      await chain.client.increaseTime({ seconds: 1_000 });
      await chain.mine(4);
      const second = await startProcess(env, port);
      const left = String(isTaken ? MONEY - PRICE : MONEY);
      const wallet = { balance: left, held: '0', spendable: left };
      const settled = async (): Promise<boolean> =>
        JSON.stringify(await walletOf(buyer)) === JSON.stringify(wallet);
      await until(settled);
      assert.equal(await chain.balanceOf(seller.payTo), isTaken ? PRICE : 0n);
      const again = mustOk(await buyer.post('/api/v1/call', body));
      assert.deepEqual(
        [at(again, 'receipt', 'outcome'), at(again, 'receipt', 'payment', 'state')],
        ['unknown', isTaken ? 'settled' : 'returned'],
      );
      assert.equal(at(again, 'receipt', 'cost'), isTaken ? String(PRICE) : '0');
      await second.kill();
      await assertBooksBalance(store);
      await store.close();
      await chain.stop();
      await closeSites();
      await rm(folder, { recursive: true, force: true });
    });
  }
}

describe('a hub that is killed while it pays an agent on the chain', () => {
  for (const [name, url] of DATABASES) suiteOn(name, url);
});
