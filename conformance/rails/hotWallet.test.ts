import assert from 'node:assert/strict';
import { attemptsOf, insertTransaction, readTransaction } from '../../db/rails/transactions.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { chainHash, evmAddress, transferCall } from '../../domain/rails/evm.ts';
import { newTransaction, type ChainTransaction } from '../../domain/rails/transaction.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { dropCall, enqueueCall } from '../../workflows/rails/outbox.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';

/** The one sequence of the hot wallet: what is enqueued goes out once, or provably not at all. */
describe('the hot wallet', () => {
  let world: ChainFixture;
  let hub: Hub;
  before(async () => {
    world = await openChainFixture();
    hub = world.hub.running.hub;
    await world.chain.mint(TREASURY.address, 100_000_000n);
  });
  after(() => world.close());

  const bela = accountAt(2).address;
  const transfer = (amount: bigint, triesMax = 2): Promise<string> =>
    hub.store.write((tx) =>
      enqueueCall(tx, hub, {
        network: 'base',
        purpose: 'test',
        refId: hub.ids.uuid(),
        to: evmAddress(world.chain.token),
        data: transferCall(evmAddress(bela), amount),
        triesMax,
      }),
    );
  const read = async (id: string): Promise<ChainTransaction> => {
    const row = await hub.store.read((db) => readTransaction(db, id));
    assert.ok(row);
    return row;
  };
  const states = async (...ids: readonly string[]): Promise<readonly string[]> =>
    Promise.all(ids.map(async (id) => (await read(id)).state));
  const run = async (): Promise<void> => {
    await world.hub.runJob('hotWallet');
    await world.chain.mined();
  };
  const has = (): Promise<bigint> => world.chain.balanceOf(bela);

  it('sends calls in one sequence of nonces and confirms them at depth', async () => {
    const ids = [await transfer(1_000n), await transfer(2_000n), await transfer(3_000n)];
    await run();
    const rows = await Promise.all(ids.map(read));
    const first = rows[0]?.nonce ?? -1;
    assert.deepEqual(
      rows.map(({ nonce }) => nonce),
      [first, first + 1, first + 2],
    );
    assert.equal(await has(), 6_000n);
    await run();
    assert.deepEqual(await states(...ids.slice(1)), ['broadcast', 'broadcast']);
    await world.chain.mine(world.confirmations);
    await run();
    assert.deepEqual(await states(...ids), ['confirmed', 'confirmed', 'confirmed']);
    world.hub.clock.advance(61);
    await run();
    assert.equal((await read(ids[2] ?? '')).final, true);
  });

  it('drops what the contract would refuse, without a nonce', async () => {
    const id = await transfer(10n ** 12n);
    await run();
    assert.equal((await read(id)).state, 'queued');
    world.hub.clock.advance(20);
    await run();
    const { state, nonce, note } = await read(id);
    assert.deepEqual([state, nonce], ['dropped', null]);
    assert.match(String(note), /exceeds balance/);
  });

  it('takes a call back only while it has no nonce', async () => {
    const [early, late] = [await transfer(5n), await transfer(7n)];
    const drop = (id: string): Promise<boolean> =>
      hub.store.write((tx) => dropCall(tx, hub, id, 'taken back'));
    assert.equal(await drop(early), true);
    await run();
    assert.equal(await drop(late), false);
    assert.deepEqual([(await read(early)).state, (await read(early)).nonce], ['dropped', null]);
  });

  it('sends again with a higher fee and the same nonce, and is paid once', async () => {
    const before = await has();
    await world.chain.client.setAutomine(false);
    const id = await transfer(11_000n);
    await run();
    const first = await read(id);
    world.hub.clock.advance(61);
    await run();
    world.hub.clock.advance(61);
    await run();
    const attempts = await hub.store.read((db) => attemptsOf(db, id));
    assert.equal(attempts.length, 3);
    assert.ok((attempts[0]?.maxFee ?? 0n) > (attempts[2]?.maxFee ?? 0n));
    assert.equal((await read(id)).nonce, first.nonce);
    await world.chain.client.setAutomine(true);
    await world.chain.mine(world.confirmations + 1);
    await run();
    assert.equal((await read(id)).state, 'confirmed');
    assert.equal((await has()) - before, 11_000n);
  });

  it('sends what a reorganisation dropped again', async () => {
    const before = await has();
    const id = await transfer(13_000n);
    await run();
    await run();
    await world.chain.reorg(1);
    assert.equal((await has()) - before, 0n);
    world.hub.clock.advance(20);
    await run();
    await world.chain.mine(world.confirmations + 1);
    await run();
    assert.equal((await read(id)).state, 'confirmed');
    assert.equal((await has()) - before, 13_000n);
  });

  it('proves by its hash which transaction took a nonce', async () => {
    const before = await has();
    await world.chain.client.setAutomine(false);
    const id = await transfer(17_000n);
    await run();
    const { nonce } = await read(id);
    await world.chain.client.dropTransaction({
      hash: (await hub.store.read((db) => attemptsOf(db, id)))[0]?.hash ?? '0x',
    });
    const other = await world.chain.client.sendTransaction({
      account: TREASURY,
      to: TREASURY.address,
      nonce: nonce ?? 0,
    });
    await world.chain.client.setAutomine(true);
    await world.chain.mine(1);
    await run();
    assert.equal((await read(id)).state, 'broadcast');
    await world.chain.mine(3);
    await run();
    const row = await read(id);
    assert.deepEqual([row.state, row.replacedBy], ['replaced', other]);
    assert.equal((await has()) - before, 0n);
  });

  it('is not held up by hundreds that wait for the chain to be final', async () => {
    await confirmedBehind(300);
    const before = await has();
    const ids = [await transfer(23_000n), await transfer(29_000n)];
    await run();
    await world.chain.mine(world.confirmations);
    await run();
    assert.deepEqual(await states(...ids), ['confirmed', 'confirmed']);
    assert.equal((await has()) - before, 52_000n);
  });

  /** Confirmed rows before the wallet's next nonce, as a chain that is slow to be final leaves. */
  async function confirmedBehind(count: number): Promise<void> {
    const { address } = TREASURY;
    const first = await world.chain.client.getTransactionCount({ address });
    await hub.store.write(async (tx) => {
      for (let n = 0; n < count; n += 1) {
        const id = hub.ids.uuid();
        const now = hub.clock.now();
        const call = { to: evmAddress(world.chain.token), data: '0x', triesMax: 1 } as const;
        const known = {
          id,
          network: 'base',
          purpose: 'test',
          refId: id,
          ...call,
          state: 'confirmed',
          sender: evmAddress(address),
          nonce: first + n,
          minedHash: chainHash(`0x${n.toString(16).padStart(64, '0')}`),
          nextTryAt: plus(now, seconds(3_600)),
        } as const;
        await insertTransaction(tx, newTransaction(now, known));
      }
    });
    await world.chain.client.setNonce({ address, nonce: first + count });
  }

  it('fills a nonce that a node invented, so that the rest passes', async () => {
    const before = await has();
    const { port } = hub.chains;
    const real = await port('base');
    let lies = true;
    const lying = {
      ...real,
      nonceOf: async (...asked: Parameters<typeof real.nonceOf>) =>
        (await real.nonceOf(...asked)) + (lies ? 1 : 0),
    };
    Object.assign(hub.chains, { port: () => Promise.resolve(lying) });
    const id = await transfer(19_000n);
    await run();
    lies = false;
    await run();
    await run();
    await world.chain.mine(world.confirmations + 1);
    await run();
    Object.assign(hub.chains, { port });
    assert.equal((await read(id)).state, 'confirmed');
    assert.equal((await has()) - before, 19_000n);
  });
});
