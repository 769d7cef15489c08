import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeSites, startSite } from '../../clients/examples/agents/site.ts';
import { freePort } from '../../clients/examples/freePort.ts';
import { balance } from '../../db/ledger/balances.ts';
import { openStore, type Store } from '../../db/store.ts';
import { parseAccount } from '../../domain/account.ts';
import { plain, visitor, type Answer } from '../harness/agents.ts';
import { startChain, type Chain } from '../harness/chain/anvil.ts';
import { chainEnv } from '../harness/chain/hub.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { CHAT, HELLO } from '../models/_desk.ts';
import { answerOf, localProvider, startUpstream, upstreamFile } from '../models/_upstream.ts';
import { freshWallet, payV2, quoteIn } from './_fixture.ts';

const MONEY = 50_000n;
/** 11 tokens of prompt at 2 units, and 200 of answer at 10; and what the answer costs. */
const [WORST, CHARGED] = [2_022n, 70n];
const SUITE_MS_MAX = 120_000;

/** A node between hub and chain that stops answering one question, before or after it is asked. */
async function openNode(chain: Chain) {
  let stopped: { readonly method: string; readonly after: boolean } | undefined;
  let reached: () => void = () => undefined;
  const hang = (): Promise<never> => {
    reached();
    return new Promise(() => undefined);
  };
  const site = await startSite(async ({ body }, response) => {
    const isHere = stopped !== undefined && body.includes(`"${stopped.method}"`);
    if (isHere && stopped?.after === false) await hang();
    const headers = { 'content-type': 'application/json' };
    const answer = await (await fetch(chain.url, { method: 'POST', headers, body })).text();
    if (isHere) await hang();
    response.writeHead(200, headers);
    response.end(answer);
  });
  return {
    url: site.url,
    stopAt(method: string, after: boolean): Promise<void> {
      stopped = { method, after };
      return new Promise((resolve) => (reached = resolve));
    },
    goOn(): void {
      stopped = undefined;
    },
  };
}

/** Keeps the database from beginning a call, as if the process had ended right before it. */
async function keepFromRunning(store: Store, dialect: string): Promise<() => Promise<void>> {
  const [set, unset] =
    dialect === 'SQLite'
      ? [
          `CREATE TRIGGER stop BEFORE INSERT ON model_calls BEGIN SELECT RAISE(ABORT, 'stop'); END`,
          'DROP TRIGGER stop',
        ]
      : [
          'ALTER TABLE model_calls ADD CONSTRAINT stop CHECK (false) NOT VALID',
          'ALTER TABLE model_calls DROP CONSTRAINT stop',
        ];
  await store.write((tx) => tx.knex.raw(set));
  return async () => void (await store.write((tx) => tx.knex.raw(unset)));
}

interface Stop {
  readonly what: string;
  /** Whether the chain has the payment afterwards, and how it ended in the books. */
  readonly isPaid: boolean;
  readonly end: 'declined' | 'settled';
  /** Resolves when the hub is there; answers what undoes the stop. */
  arm(world: {
    readonly node: Awaited<ReturnType<typeof openNode>>;
    readonly store: Store;
    readonly dialect: string;
  }): Promise<{ readonly reached: Promise<unknown> | undefined; undo(): Promise<void> }>;
}

const atNode = (method: string, after: boolean): Stop['arm'] => {
  return ({ node }) => {
    const reached = node.stopAt(method, after);
    return Promise.resolve({ reached, undo: () => Promise.resolve(node.goOn()) });
  };
};

const STOPS: readonly Stop[] = [
  {
    what: 'when the nonce is reserved',
    isPaid: false,
    end: 'declined',
    arm: atNode('eth_estimateGas', false),
  },
  {
    what: 'when it settled and is not credited',
    isPaid: true,
    end: 'settled',
    arm: atNode('eth_sendRawTransaction', true),
  },
  {
    what: 'when it is credited and nothing has run',
    isPaid: true,
    end: 'settled',
    arm: async ({ store, dialect }) => {
      const undo = await keepFromRunning(store, dialect);
      return { reached: undefined, undo };
    },
  },
];

function suiteOn(dialect: string, databaseUrl: (folder: string) => Promise<string>): void {
  for (const { what, isPaid, end, arm } of STOPS) {
    const says = isPaid ? 'credited once, and the same call runs' : 'nothing was taken';
    it(`${what}: ${says} (${dialect})`, async function run() {
      this.timeout(SUITE_MS_MAX);
      const folder = await mkdtemp(join(tmpdir(), 'hub-x402-kill-'));
      const chain = await startChain();
      const node = await openNode(chain);
      const upstream = await startUpstream(answerOf(3, 20));
      const file = upstreamFile([localProvider(upstream, { backend: 'upstream' })], [upstream]);
      const env = {
        HUB_NETWORK: 'base',
        HUB_X402_FACILITATOR: 'local',
        ...file.env,
        ...chainEnv({ url: node.url, token: chain.token }, folder),
        HUB_DATABASE_URL: await databaseUrl(folder),
        HUB_DATA_DIR: folder,
      };
      const port = await freePort();
      const clock = { now: () => Date.now() };
      const place = { url: `http://127.0.0.1:${port}`, clock };
      const first = await startProcess(env, port);
      const store = await openStore(env.HUB_DATABASE_URL);
      const wallet = freshWallet();
      await chain.mint(wallet.address, MONEY);
      const account = parseAccount(`evm:${wallet.address.toLowerCase()}`);
      assert.ok(account !== undefined);
      const has = (): Promise<bigint> =>
        store.read(
          async (db) => (await balance(db, account, { network: 'base', asset: 'USDC' })).spendable,
        );
      const cell = (name: string): Promise<unknown> =>
        store.read(async (db) => (await db.knex('x402_payments').pluck(name))[0] as unknown);
      const state = async (): Promise<unknown> =>
        typeof (await cell('declined')) === 'string' ? 'declined' : cell('state');
      const chat = { model: 'acme/small', messages: HELLO, max_tokens: 200 };
      const body = { ...chat, idempotencyKey: 'one' };
      const send = (header: Readonly<Record<string, string>> = {}): Promise<Answer> => {
        const request = plain(place, 'POST', CHAT, body);
        for (const [name, value] of Object.entries(header)) request.headers.set(name, value);
        return visitor(place).send(request);
      };
      const quote = quoteIn(await send(), 'payment-required');
      const header = await payV2({ chain, hub: { clock } }, wallet, quote);

      const stop = await arm({ node, store, dialect });
      const cutOff = send(header).catch(() => 'gone');
      await (stop.reached ?? until(async () => (await has()) === WORST));
      await first.kill();
      await cutOff;
      assert.equal(upstream.asked.length, 0, 'nothing has run');
      await stop.undo();
      await store.write((tx) =>
        tx.knex('x402_payments').whereNotNull('check_at').update({ check_at: 1 }),
      );

      const second = await startProcess(env, port);
      await until(async () => (await state()) === end);
      assert.equal(await has(), isPaid ? WORST : 0n, 'credited once, or not at all');
      assert.equal(await chain.balanceOf(wallet.address), isPaid ? MONEY - WORST : MONEY);
      const again = await send(header);
      if (isPaid) {
        assert.equal(at(mustOk(again), 'receipt', 'charged'), String(CHARGED));
        assert.equal(await has(), WORST - CHARGED, 'the rest stays with the wallet');
      } else assert.equal(again.status, 402, again.text);
      assert.equal(await chain.balanceOf(wallet.address), isPaid ? MONEY - WORST : MONEY);
      await second.kill();
      await assertBooksBalance(store);
      await store.close();
      await upstream.close();
      file.remove();
      await chain.stop();
      await closeSites();
      await rm(folder, { recursive: true, force: true });
    });
  }
}

describe('a hub that is killed during a payment over x402', () => {
  for (const [name, url] of DATABASES) suiteOn(name, url);
});
