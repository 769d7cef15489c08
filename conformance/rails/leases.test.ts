import assert from 'node:assert/strict';
import { readTransaction } from '../../db/rails/transactions.ts';
import { evmAddress, transferCall } from '../../domain/rails/evm.ts';
import type { WrapPort } from '../../workflows/kernel/chain/chains.ts';
import type { ChainPort } from '../../workflows/kernel/chain/port.ts';
import type { RunningHub } from '../../server/boot/open.ts';
import { enqueueCall } from '../../workflows/rails/outbox.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openBeside, openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';

/** Longer than a holder that died is waited for, and shorter. */
const [DEAD_SECONDS, RENEW_SECONDS] = [7, 2];
const RECEIVER = accountAt(2).address;

/** A port that stops at one question until it is let go. */
function openGate() {
  let gated: keyof ChainPort | undefined;
  let reached: () => void = () => undefined;
  let release: () => void = () => undefined;
  const wrap: WrapPort = (port) =>
    new Proxy(port, {
      get(target, name: keyof ChainPort) {
        const inner = target[name];
        if (typeof inner !== 'function') return inner;
        return async (...args: unknown[]) => {
          const answer = await (inner as (...given: unknown[]) => Promise<unknown>)(...args);
          if (gated === name) {
            gated = undefined;
            await new Promise<void>((resolve) => {
              release = resolve;
              reached();
            });
          }
          return answer;
        };
      },
    });
  return {
    wrap,
    stopAt(name: keyof ChainPort): Promise<void> {
      gated = name;
      return new Promise((resolve) => (reached = resolve));
    },
    letGo: (): void => release(),
  };
}

function suite(title: string, databaseUrl: () => Promise<string>): void {
  describe(`leases of the chain (${title})`, function leases() {
    this.timeout(90_000);
    const gate = openGate();
    let world: ChainFixture;
    let others: RunningHub[] = [];
    beforeEach(async () => {
      const url = await databaseUrl();
      world = await openChainFixture({
        wrapChain: gate.wrap,
        databaseUrl: url,
      });
      await world.chain.mint(TREASURY.address, 1_000_000n);
    });
    afterEach(async () => {
      for (const other of others.splice(0)) await other.close();
      await world.close();
    });

    const beside = async (): Promise<RunningHub> => {
      const other = await openBeside(world.hub, world.env);
      others.push(other);
      return other;
    };
    const transfer = (amount: bigint): Promise<string> => {
      const { hub } = world.hub.running;
      return hub.store.write((tx) =>
        enqueueCall(tx, hub, {
          network: 'base',
          purpose: 'test',
          refId: hub.ids.uuid(),
          to: evmAddress(world.chain.token),
          data: transferCall(evmAddress(RECEIVER), amount),
          triesMax: 2,
        }),
      );
    };
    const stateOf = async (id: string): Promise<string | undefined> => {
      const { store } = world.hub.running.hub;
      return (await store.read((db) => readTransaction(db, id)))?.state;
    };
    const read = async (): Promise<Record<string, unknown>> => {
      const networks = mustOk(await world.anyone.get('/api/v1/networks'))['networks'];
      return (networks as Record<string, unknown>[])[0]!;
    };

    it('lets the next process work at once after a clean stop', async () => {
      const first = await beside();
      await first.driver.runOnce('deposits');
      await first.driver.runOnce('hotWallet');
      const id = await transfer(1_000n);
      await world.hub.runJob('hotWallet');
      assert.equal(await stateOf(id), 'queued', 'the first process holds the wallet');
      others = [];
      await first.close();
      await world.hub.runJob('hotWallet');
      assert.equal(await stateOf(id), 'broadcast');
      await world.chain.mine(60);
      await world.hub.runJob('deposits');
      assert.deepEqual([(await read())['lag'], (await read())['watched']], [0, true]);
    });

    it('lets the next process take over within seconds after a kill', async () => {
      const killed = await beside();
      await killed.driver.runOnce('chainLeases');
      const id = await transfer(2_000n);
      await world.hub.runJob('hotWallet');
      world.hub.clock.advance(DEAD_SECONDS);
      await world.hub.runJob('hotWallet');
      assert.equal(await stateOf(id), 'broadcast');
      assert.equal(await world.chain.balanceOf(RECEIVER), 2_000n);
    });

    it('leaves a lease to a holder that renews it, whatever the clocks say', async () => {
      const holder = await beside();
      const id = await transfer(3_000n);
      await holder.driver.runOnce('chainLeases');
      for (let n = 0; n < 10; n += 1) {
        await world.hub.runJob('hotWallet');
        world.hub.clock.advance(RENEW_SECONDS);
        if (n === 5) world.hub.clock.jump(60_000);
        await holder.driver.runOnce('chainLeases');
      }
      assert.equal(await stateOf(id), 'queued');
    });

    it('signs nothing in a process that lost its lease in the middle of its work', async () => {
      const id = await transfer(4_000n);
      const stopped = gate.stopAt('fees');
      const stale = world.hub.runJob('hotWallet');
      await stopped;
      const next = await beside();
      await next.driver.runOnce('chainLeases');
      world.hub.clock.advance(DEAD_SECONDS);
      await next.driver.runOnce('chainLeases');
      gate.letGo();
      await stale;
      assert.equal(await stateOf(id), 'queued');
      await next.driver.runOnce('hotWallet');
      assert.equal(await stateOf(id), 'broadcast');
      assert.equal(await world.chain.balanceOf(RECEIVER), 4_000n);
    });

    it('credits nothing in a process that lost its lease in the middle of its work', async () => {
      const path = `/api/v1/wallet/${world.alice.account}`;
      const made = mustOk(await world.alice.post(`${path}/deposit-address`));
      await world.hub.runJob('deposits');
      await world.chain.mint(made['address'] as `0x${string}`, 5_000_000n);
      await world.chain.mine(world.confirmations + 2);
      const stopped = gate.stopAt('transfers');
      const stale = world.hub.runJob('deposits');
      await stopped;
      const next = await beside();
      await next.driver.runOnce('chainLeases');
      world.hub.clock.advance(DEAD_SECONDS);
      await next.driver.runOnce('chainLeases');
      gate.letGo();
      await stale;
      const balance = async () => mustOk(await world.alice.get(path))['balance'];
      assert.equal(await balance(), '0');
      await next.driver.runOnce('deposits');
      assert.equal(await balance(), '5000000');
    });

    it('says how far behind the chain it is while another process holds the watch', async () => {
      const killed = await beside();
      await killed.driver.runOnce('deposits');
      await world.chain.mine(60);
      await world.hub.runJob('deposits');
      assert.deepEqual([(await read())['lag'], (await read())['watched']], [60, true]);
      world.hub.clock.advance(DEAD_SECONDS);
      await world.hub.runJob('deposits');
      assert.equal((await read())['lag'], 0);
      world.hub.clock.advance(21);
      assert.equal(at(await read(), 'watched'), false, 'a chain that is not read is not watched');
    });
  });
}

for (const [name, url] of DATABASES) suite(name, url);
