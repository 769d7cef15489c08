import assert from 'node:assert/strict';
import type { Writer } from '../../db/store.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Body = Record<string, unknown>;

const PROOF = '/api/v1/economy/conservation';
const PLACE = { network: 'sandbox', asset: 'USDC' };
const SUITE_MS_MAX = 60_000;

for (const [name, url] of DATABASES) {
  describe(`discovery.conservation (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    const proof = async (): Promise<Body> => mustOk(await world.anyone.get(PROOF));
    const sandbox = async (): Promise<Body> => {
      const ledgers = (await proof())['ledgers'] as Body[];
      return ledgers.find((each) => each['network'] === 'sandbox') ?? {};
    };
    const broken = async (): Promise<readonly unknown[]> =>
      ((await proof())['checks'] as Body[]).filter((c) => c['ok'] === false).map((c) => c['check']);
    const publish = async (rewardAmount: string, over: Body = {}): Promise<string> => {
      const { account } = world.alice;
      const body = { requester: account, title: 'Work', rewardAmount, ...over };
      return String(mustOk(await world.alice.post('/api/v1/tasks', body))['id']);
    };

    it('holds at the first start: what the house was issued is what the outside owes', async () => {
      const answer = await proof();
      assert.deepEqual(
        [answer['balanced'], answer['frozen'], answer['differences']],
        [true, false, []],
      );
      assert.equal((answer['checks'] as Body[]).length, 14);
      const { accounts, ...sums } = await sandbox();
      assert.equal(accounts, 6);
      assert.deepEqual(sums, {
        ...PLACE,
        sum: '0',
        supply: '50000000000',
        users: '0',
        hub: '50000000000',
        held: '0',
        commitments: '0',
        escrow: '0',
        liveRewards: '0',
        transfers: 1,
      });
    });

    it('follows a reward from the faucet through escrow and payout to the worker', async () => {
      await world.fund(world.alice, '1000000');
      const rule = { acceptance: { kind: 'contains', values: ['done'] } };
      const id = await publish('400000', rule);
      await publish('100000');
      const figures = ['users', 'held', 'commitments', 'escrow', 'liveRewards'];
      const read = async () => {
        const sums = await sandbox();
        return figures.map((figure) => sums[figure]);
      };
      assert.deepEqual(await read(), ['1000000', '500000', '500000', '500000', '500000']);
      const { bob } = world;
      const claim = { agentId: bob.account };
      const { claimToken } = mustOk(await bob.post(`/api/v1/tasks/${id}/claim`, claim));
      const body = { claimToken, result: 'done' };
      mustOk(await world.bob.post(`/api/v1/tasks/${id}/submit`, body));
      assert.deepEqual(
        await read(),
        ['1000000', '500000', '500000', '500000', '500000'],
        'an accepted reward waits for its window, still whole',
      );
      world.hub.clock.advance(86_401);
      await world.hub.runJob('payoutRelease');
      assert.deepEqual(
        await read(),
        ['988000', '100000', '100000', '100000', '100000'],
        '12000 of 400000 are the fee of the hub',
      );
      const sums = await sandbox();
      assert.equal(BigInt(String(sums['users'])) + BigInt(String(sums['hub'])), 50_001_000_000n);
    });

    it('names the newest transfer by a digest that changes with every transfer', async () => {
      const before = (await proof())['newest'] as Body;
      assert.deepEqual((await proof())['newest'], before);
      await world.fund(world.bob, '1');
      const after = (await proof())['newest'] as Body;
      assert.equal(after['seq'], Number(before['seq']) + 1);
      assert.notEqual(after['digest'], before['digest']);
      const statement = mustOk(
        await world.bob.get(`/api/v1/wallet/${world.bob.account}/statement?limit=1`),
      );
      assert.equal(after['transferId'], at(statement, 'entries', 0, 'transferId'));
    });

    it('counts once for callers who come at once', async () => {
      const answers = await Promise.all([proof(), proof(), proof()]);
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
    });

    /** Makes one change behind the ledger's back, looks, and takes the change back. */
    const spoiled = async (
      change: (tx: Writer) => Promise<unknown>,
      undo: (tx: Writer) => Promise<unknown>,
      look: () => Promise<void>,
    ): Promise<void> => {
      const { store } = world.hub.running.hub;
      await store.write(async (tx) => void (await change(tx)));
      try {
        await look();
      } finally {
        await store.write(async (tx) => void (await undo(tx)));
      }
    };
    const ofAlice = (tx: Writer) =>
      tx.knex('accounts').where({ ...PLACE, name: world.alice.account });

    it('finds a unit that was made from nothing', async () => {
      await spoiled(
        (tx) => ofAlice(tx).increment('posted', 1),
        (tx) => ofAlice(tx).decrement('posted', 1),
        async () => {
          const answer = await proof();
          assert.equal(answer['balanced'], false);
          assert.deepEqual(await broken(), ['balances-zero', 'statement-ends']);
          const [first] = answer['differences'] as Body[];
          assert.deepEqual(
            { ...first, subject: '' },
            { check: 'balances-zero', ...PLACE, subject: '', expected: '0', found: '1' },
          );
          assert.equal((await sandbox())['sum'], '1');
        },
      );
      assert.equal((await proof())['balanced'], true);
    });

    it('finds a hold that no commitment explains, with both figures', async () => {
      await spoiled(
        (tx) => ofAlice(tx).increment('held', 7),
        (tx) => ofAlice(tx).decrement('held', 7),
        async () => {
          const answer = await proof();
          assert.deepEqual(await broken(), ['holds-match', 'statement-ends']);
          const [first] = answer['differences'] as Body[];
          assert.deepEqual([first?.['expected'], first?.['found']], ['100000', '100007']);
          assert.match(String(first?.['subject']), new RegExp(world.alice.account));
        },
      );
    });

    it('finds a promise that its escrow does not cover', async () => {
      const id = await publish('5000');
      const reward = (tx: Writer, amount: number) =>
        tx.knex('tasks').where({ id }).update({ reward: amount });
      await spoiled(
        (tx) => reward(tx, 6000),
        (tx) => reward(tx, 5000),
        async () => {
          assert.deepEqual(await broken(), ['escrow-match']);
          const found = (await proof())['differences'] as Body[];
          const sums = found.find(({ subject }) => subject === 'escrow of live work');
          assert.deepEqual([sums?.['expected'], sums?.['found']], ['106000', '105000']);
        },
      );
    });

    it('finds money in a pot of no table', async () => {
      const rename = (from: string, to: string) => (tx: Writer) =>
        tx
          .knex('accounts')
          .where({ ...PLACE, name: from })
          .update({ name: to });
      await spoiled(
        rename('hub:welcome', 'hub:pot:poker:none'),
        rename('hub:pot:poker:none', 'hub:welcome'),
        async () => {
          assert.deepEqual(await broken(), ['pots-match']);
          assert.equal(at(await proof(), 'differences', 0, 'found'), '10000000000');
        },
      );
    });
  });
}
