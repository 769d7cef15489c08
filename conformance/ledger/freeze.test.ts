import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writer } from '../../db/store.ts';
import { visitor } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, publish, read, RULE, submit } from '../tasks/_work.ts';

/** The hub that found its own books wrong: no money moves, everything else goes on. */
const START_MS_MAX = 30_000;
/** Every freeze is fatal to the log, and each of these hubs is frozen on purpose. */
const SILENT = { HUB_LOG: 'silent' };
const PROOF = '/api/v1/economy/conservation';
for (const [name, url] of DATABASES) {
  describe(`a hub whose books do not balance (${name})`, () => {
    let world: Fixture;
    let folder = '';
    let databaseUrl = '';
    beforeEach(async function start() {
      this.timeout(START_MS_MAX);
      folder = await mkdtemp(join(tmpdir(), 'hub-freeze-'));
      databaseUrl = await url(folder);
      world = await openFixture({ databaseUrl, env: SILENT });
      await world.fund(world.alice, '5000000');
      await world.fund(world.bob, '5000000');
    });
    afterEach(async () => {
      await world.close();
      await rm(folder, { recursive: true, force: true });
    });

    const pay = (amount: string, idempotencyKey: string) =>
      world.alice.post(`/api/v1/wallet/${world.alice.account}/pay`, {
        to: world.bob.account,
        amount,
        idempotencyKey,
      });
    const check = (): Promise<void> => world.hub.runJob('booksCheck');
    const frozen = async (): Promise<unknown> => mustOk(await world.anyone.get(PROOF))['frozen'];
    /** Another process on the same database, as after a restart. */
    const another = (): Promise<TestHub> =>
      startHub({ databaseUrl, clock: world.hub.clock, env: SILENT });
    /** Rows of every table that money touches. */
    const written = (): Promise<readonly unknown[]> =>
      world.hub.running.hub.store.read(async ({ knex }) => {
        const counts: unknown[] = [];
        for (const table of ['accounts', 'transfers', 'entries', 'commitments', 'idempotency']) {
          counts.push([table, await knex(table).count({ rows: '*' }).first()]);
        }
        return counts;
      });
    const changed = (change: (tx: Writer) => Promise<unknown>): Promise<void> =>
      world.hub.running.hub.store.write(async (tx) => void (await change(tx)));
    const ofBob = (tx: Writer) =>
      tx.knex('accounts').where({ network: 'sandbox', name: world.bob.account });
    /** Spoils bob's balance, looks, and repairs it, so that the world can close in order. */
    const spoiled = async (look: () => Promise<void>): Promise<void> => {
      await changed((tx) => ofBob(tx).increment('posted', 1));
      try {
        await look();
      } finally {
        await changed((tx) => ofBob(tx).decrement('posted', 1));
      }
    };

    it('freezes at the first check, and refuses whatever would move money', async () => {
      mustOk(await pay('1', 'before'));
      await spoiled(async () => {
        await check();
        const before = await written();
        const refused = mustRefuse(await pay('1', 'after'), 503, 'ledger-frozen');
        assert.match(String(refused['error']), /frozen since 2026-11-20T10:00:0/);
        assert.match(String(refused['hint']), /later with the same idempotencyKey/);
        const credit = { amount: '1', idempotencyKey: 'credit' };
        const wallet = `/api/v1/wallet/${world.alice.account}`;
        mustRefuse(await world.anyone.post(`${wallet}/credit`, credit), 503, 'ledger-frozen');
        const { account } = world.alice;
        const task = { requester: account, title: 'Work', rewardAmount: '100000' };
        mustRefuse(await world.alice.post('/api/v1/tasks', task), 503, 'ledger-frozen');
        assert.deepEqual(await written(), before);
        mustOk(await pay('1', 'before'), 200);
        assert.deepEqual(await written(), before, 'the first answer is repeated');
      });
    });

    it('answers, and works where no money moves', async () => {
      await spoiled(async () => {
        await check();
        mustOk(await world.alice.get(`/api/v1/wallet/${world.alice.account}`));
        mustOk(await world.alice.get(`/api/v1/wallet/${world.alice.account}/statement`));
        mustOk(await world.anyone.get('/api/v1/tasks'));
        const free = { requester: world.alice.account, title: 'For nothing' };
        const { id } = mustOk(await world.alice.post('/api/v1/tasks', free));
        mustOk(await act(world.bob, String(id), 'claim', { agentId: world.bob.account }));
      });
    });

    it('shows a task whose payout is due as it stands, and pays after the restart', async () => {
      const { id } = await publish(world.alice, { acceptance: RULE });
      mustOk(await submit(world.bob, id, 'done'));
      await spoiled(async () => {
        await check();
        world.hub.clock.advance(86_401);
        await world.hub.runJob('payoutRelease');
        assert.equal((await read(world, id))['state'], 'accepted');
      });
      const again = await another();
      try {
        await again.runJob('booksCheck');
        await again.runJob('payoutRelease');
        assert.equal(again.running.hub.store.frozenSince(), undefined);
        const task = mustOk(await visitor(again).get(`/api/v1/tasks/${id}`));
        assert.equal(task['state'], 'paid');
      } finally {
        await again.close();
      }
    });

    it('says so, and stays so until it is started again', async () => {
      await check();
      assert.equal(await frozen(), false);
      await spoiled(async () => {
        await check();
        assert.equal(await frozen(), true);
      });
      await check();
      mustRefuse(await pay('1', 'repaired'), 503, 'ledger-frozen');
      assert.equal(await frozen(), true);
    });

    it('is found by the start-up check of a hub that was started on wrong books', async () => {
      await spoiled(async () => {
        const again = await another();
        await again.runJob('booksCheck');
        assert.notEqual(again.running.hub.store.frozenSince(), undefined);
        assert.equal(world.hub.running.hub.store.frozenSince(), undefined, 'each by itself');
        await again.close();
      });
    });

    it('finds a promise that its escrow does not cover', async () => {
      const { id } = await publish(world.alice);
      const reward = (amount: number) =>
        changed((tx) => tx.knex('tasks').where({ id }).update({ reward: amount }));
      await check();
      await reward(2_000_000);
      await check();
      await reward(1_000_000);
      assert.equal(await frozen(), true);
    });
  });
}
