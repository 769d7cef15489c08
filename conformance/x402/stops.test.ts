import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainPort } from '../../workflows/kernel/chain/port.ts';
import { openBeside } from '../harness/chain/hub.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  callBody,
  newPayer,
  openPaidFixture,
  pass,
  payV1,
  PRICE,
  quoteFor,
  type PaidFixture,
} from './_fixture.ts';

const MONEY = 20_000n;
const LEFT = MONEY - BigInt(PRICE);
type Question = keyof ChainPort;

/** A chain that stops answering one question, once it was asked or before it is. */
function openStop() {
  let stopped: { readonly question: Question; readonly after: boolean } | undefined;
  let release: (() => void)[] = [];
  let reached: () => void = () => undefined;
  const hang = (): Promise<never> =>
    new Promise((_, reject) => {
      release.push(() => reject(new Error('the process was stopped here')));
      reached();
    });
  const wrap = (port: ChainPort): ChainPort => {
    const wrapped = new Proxy(port, {
      get(target, name: Question) {
        const inner = target[name];
        if (typeof inner !== 'function') return inner;
        return async (...args: unknown[]) => {
          const isHere = stopped?.question === name;
          if (isHere && !stopped?.after) await hang();
          const answer = await (inner as (...given: unknown[]) => Promise<unknown>)(...args);
          if (isHere) await hang();
          return answer;
        };
      },
    });
    return wrapped;
  };
  return {
    wrap,
    at(question: Question, after: boolean): Promise<void> {
      stopped = { question, after };
      return new Promise((resolve) => (reached = resolve));
    },
    /** Lets hung calls go on with an error, long after others have finished their work. */
    wake(): void {
      stopped = undefined;
      for (const each of release) each();
      release = [];
    },
  };
}

function suiteOn(title: string, databaseUrl: (folder: string) => Promise<string>): void {
  describe(`a hub that stops in the middle of a payment (${title})`, function suite() {
    this.timeout(60_000);
    const stop = openStop();
    let world: PaidFixture;
    let folder: string;
    let url: string;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hub-x402-stop-'));
      url = await databaseUrl(folder);
      world = await openPaidFixture({ databaseUrl: url, wrapChain: stop.wrap });
      // The rail is known before anything stops.
      const { agent } = await newPayer(world, 0n);
      await quoteFor(agent, callBody(world, agent));
    });
    after(async () => {
      stop.wake();
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Another process on the same database and chain, which finds what the first one left. */
    async function otherProcess(work: (run: (job: string) => Promise<void>) => Promise<void>) {
      const other = await openBeside(world.hub, world.env);
      try {
        await work(async (job) => void (await other.driver.runOnce(job)));
      } finally {
        await other.close();
      }
    }

    async function states(wallet: string): Promise<readonly string[]> {
      const rows = await world.hub.running.hub.store.read((db) =>
        db.knex('x402_payments').where({ payer: wallet.toLowerCase() }),
      );
      return rows.map(({ state }) => String(state));
    }

    const places: readonly (readonly [string, Question, boolean, 'settled' | 'refused'])[] = [
      ['while it verifies', 'estimate', false, 'refused'],
      ['before the transaction is signed', 'fees', false, 'settled'],
      ['before it is sent', 'send', false, 'settled'],
      ['after it was sent, the answer lost', 'send', true, 'settled'],
      ['before it looks for the token’s event', 'authorizationUse', false, 'settled'],
      ['before it credits', 'receipt', true, 'settled'],
    ];
    for (const [what, question, after, end] of places) {
      it(`${what}: ${end}, credited ${end === 'settled' ? 'once' : 'never'}`, async () => {
        const { agent, wallet, call } = await newPayer(world, MONEY);
        const body = callBody(world, agent);
        const header = await payV1(world, wallet, await quoteFor(agent, body));
        const stopped = stop.at(question, after);
        const pending = call(body, header).catch(() => undefined);
        await stopped;
        await pass(world, 70);
        await otherProcess(async (run) => {
          // It sees the lease of the process that stopped, and that nothing renews it.
          await run('chainLeases');
          await pass(world, 7);
          for (let n = 0; n < 3; n += 1) {
            await run('hotWallet');
            await pass(world, 5);
            await run('x402Resolve');
          }
          if (end === 'refused') {
            assert.deepEqual(await states(wallet.address), ['reserved'], 'it can still be sent');
            await pass(world, 2_000);
            await world.chain.mine(5);
            await run('x402Resolve');
          }
        });
        const settled = end === 'settled';
        assert.equal(await world.chain.balanceOf(wallet.address), settled ? LEFT : MONEY);
        const has = settled ? PRICE : '0';
        stop.wake();
        await pending;
        assert.deepEqual(await walletOf(agent), { balance: has, held: '0', spendable: has });
        assert.deepEqual(await states(wallet.address), [end]);
        const again = await call(body, header);
        if (settled) {
          assert.equal(at(mustOk(again), 'receipt', 'outcome'), 'served', 'it goes on with it');
        } else {
          mustRefuse(again, 402, 'payment-refused');
        }
        assert.equal((await walletOf(agent))['balance'], '0');
        assert.equal(await world.chain.balanceOf(wallet.address), settled ? LEFT : MONEY);
      });
    }
  });
}

for (const [name, url] of DATABASES) suiteOn(name, url);
