import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeSites, type Site } from '../../clients/examples/agents/site.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { agentWith, type Agent } from '../harness/agents.ts';
import { CHAIN_ID, startChain, type Chain } from '../harness/chain/anvil.ts';
import { chainEnv, TREASURY } from '../harness/chain/hub.ts';
import { fakeClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { call, list, receiptOf, walletOf, type Body } from '../router/_fixture.ts';
import { walletPath } from '../wallet/_signed.ts';

export const PRICE = 5_000n;
export const MONEY = 2_000_000n;
export const TREASURE = 100_000_000n;
export const SUITE_MS_MAX = 120_000;

/** A seller on a chain, once the chain is known. */
export interface SellsOn {
  readonly site: Site;
  readonly endpoint: string;
  sellOn(chain: Chain, price: string): Promise<void> | void;
}

type Key = Awaited<ReturnType<typeof generateKey>>;

/** A hub that pays agents of others on the chain, and one that sells by official code of x402. */
export interface Upstream<Seller extends SellsOn> extends Fixture {
  readonly chain: Chain;
  readonly seller: Seller;
  readonly agentId: string;
  readonly env: Readonly<Record<string, string>>;
  /** An account with MONEY that came in over the chain. */
  buyer(key?: Key): Promise<Agent>;
  buy(buyer: Agent, more?: Body): Promise<Body>;
  /** Time passes for the hub and for the chain, which is final then. */
  pass(seconds: number): Promise<void>;
}

export async function openUpstream<Seller extends SellsOn>(
  seller: Seller,
  databaseUrl: string,
  ceilings: string,
  chainId = CHAIN_ID,
): Promise<Upstream<Seller>> {
  const chain = await startChain({ chainId });
  await seller.sellOn(chain, String(PRICE));
  await chain.mint(TREASURY.address, TREASURE);
  const folder = mkdtempSync(join(tmpdir(), 'hub-upstream-'));
  const env = {
    HUB_NETWORK: 'base',
    ...chainEnv(chain, folder),
    HUB_CHAIN_ID: String(chainId),
    HUB_ALLOW_PRIVATE_HOSTS: seller.site.pair,
    X402_PAY_UPSTREAM: ceilings,
  };
  const fixture = await openFixture({ clock: fakeClock(Date.now()), databaseUrl, env });
  const agentId = await list(fixture, seller, ['convert'], { price: String(PRICE) });
  const { hub } = fixture;
  return {
    ...fixture,
    chain,
    seller,
    agentId,
    env,
    async buyer(key) {
      const agent = agentWith(hub, key ?? (await generateKey()));
      const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
      await chain.mint(made['address'] as `0x${string}`, MONEY);
      await hub.runJob('deposits');
      await chain.mine(7);
      await hub.runJob('deposits');
      assert.equal((await walletOf(agent))['balance'], String(MONEY));
      return agent;
    },
    buy: (buyer, more = {}) =>
      call(buyer, { agentId, operation: 'convert', maxPrice: String(PRICE), ...more }),
    async pass(seconds) {
      hub.clock.advance(seconds);
      await chain.client.increaseTime({ seconds });
      await chain.mine(4);
    },
    async close() {
      try {
        await assertBooksBalance(hub.running.hub.store);
        await fixture.close();
      } finally {
        await chain.stop();
        await closeSites();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

export function paymentOf(answer: Body): Body {
  const { payment } = receiptOf(answer);
  assert.ok(typeof payment === 'object' && payment !== null, 'the receipt has a payment');
  return payment as Body;
}

export async function receiptsOf(buyer: Agent): Promise<readonly Body[]> {
  return mustOk(await buyer.get('/api/v1/call/receipts'))['receipts'] as Body[];
}
