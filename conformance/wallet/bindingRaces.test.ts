import assert from 'node:assert/strict';
import { agentWith, joinAccount, visitor, type Agent, type Answer } from '../harness/agents.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { DATABASES, sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { startHub } from '../harness/hub.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { publishPaid } from './_work.ts';
import { walletPath } from './_signed.ts';

/** Two who settle one key at once, on both databases, and two processes that share one. */
const START_MS_MAX = 30_000;
const postgresUrl = async (): Promise<string> => (await sharedPostgres()).freshDatabase();
const keysPath = (owner: Agent): string => `${walletPath(owner)}/keys`;
const sign = (by: Pick<Agent, 'post'>, owner: Agent, key: Agent): Promise<Answer> =>
  by.post(keysPath(owner), { publicKey: key.keyId });
const ownerOf = async (agent: Agent): Promise<unknown> =>
  mustOk(await agent.get('/api/v1/me'))['owner'];
const comment = (taskId: string, author: Agent): Promise<Answer> =>
  author.post(`/api/v1/tasks/${taskId}/comments`, { author: author.account, body: 'Hello.' });
const pay = (from: Agent, to: Agent): Promise<Answer> =>
  from.post(`${walletPath(from)}/pay`, {
    to: to.account,
    amount: '700',
    idempotencyKey: `pay-${to.keyId}`,
  });

for (const [name, url] of DATABASES) {
  describe(`where a key acts (${name})`, () => {
    let world: Fixture;
    before(async function start() {
      this.timeout(START_MS_MAX);
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '1000000');
    });
    after(() => world.close());

    const two = async (): Promise<readonly [Agent, Agent]> => [
      await world.agent(),
      await world.agent(),
    ];

    it('is one account when both sign at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const [owner, key] = await two();
        const both = [sign(owner, owner, key), sign(key, owner, key)];
        const states = (await Promise.all(both)).map((each) => mustOk(each)['state']);
        assert.deepEqual(states.sort(), ['bound', 'pending']);
        assert.equal(await ownerOf(key), owner.account);
        assert.equal(mustOk(await owner.get(keysPath(owner)))['count'], 2);
      }
    });

    it('is one account when two take the same key at once', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [one, other] = await two();
        const key = await world.agent();
        for (const owner of [one, other]) mustOk(await sign(key, owner, key));
        const answers = await Promise.all([sign(one, one, key), sign(other, other, key)]);
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
        const won = answers[0]?.status === 200 ? one : other;
        assert.equal(await ownerOf(key), won.account);
      }
    });

    it('is one account when a key acts and joins at once, or is paid and joins at once', async () => {
      await world.fund(world.bob, '100000');
      for (let round = 0; round < 10; round += 1) {
        const [owner, key] = await two();
        mustOk(await sign(key, owner, key));
        const use =
          round % 2 === 0 ? comment(await publishPaid(world.alice), key) : pay(world.bob, key);
        const [used, joined] = await Promise.all([use, sign(owner, owner, key)]);
        assert.notEqual(used.status, joined.status, 'one of both, never both');
        const home = joined.status === 200 ? owner.account : key.account;
        assert.equal(await ownerOf(key), home);
      }
    });

    it('is the new account for a claim that waited in the name of the key when it joined', async () => {
      const [owner, key] = await two();
      mustOk(await key.get('/api/v1/me'));
      const waiting = key.post('/api/v1/tasks/claim?wait=20', { minReward: '50000' });
      mustOk(await joinAccount(owner, key));
      await publishPaid(world.alice, { rewardAmount: '50000' });
      const claimed = mustOk(await waiting);
      assert.ok(claimed['work'] !== null);
      const { claims } = mustOk(await owner.get('/api/v1/me'));
      assert.equal(at(claims, 'length'), 1, 'the claim is that of the account it acts for');
    });
  });
}

describe('where a key acts, in two processes', () => {
  it('is the same in both, whichever met the key first', async function twoHubs() {
    this.timeout(START_MS_MAX);
    const databaseUrl = await postgresUrl();
    const first = await startHub({ databaseUrl });
    const second = await startHub({ databaseUrl, clock: first.clock });
    try {
      for (const uses of [false, true]) {
        const [ownerKey, newKey] = [await generateKey(), await generateKey()];
        const here = (key: typeof newKey): Agent => agentWith(first, key);
        const there = (key: typeof newKey): Agent => agentWith(second, key);
        const [owner, key] = [here(ownerKey), here(newKey)];
        // Both processes have met the key as one of its own account.
        for (const meets of [here(newKey), there(newKey)]) await ownerOf(meets);
        mustOk(await sign(key, owner, key));
        if (uses) {
          const path = `${walletPath(key)}/credit`;
          const body = { amount: '5', idempotencyKey: key.keyId };
          mustOk(await visitor(first).post(path, body));
          mustRefuse(await sign(there(ownerKey), owner, key), 400, 'key-bound');
        } else {
          assert.equal(mustOk(await sign(there(ownerKey), owner, key))['state'], 'bound');
        }
        const home = uses ? key.account : owner.account;
        for (const asks of [here(newKey), there(newKey)]) assert.equal(await ownerOf(asks), home);
        mustRefuse(await here(newKey).get(walletPath(uses ? owner : key)), 401, 'wrong-owner');
      }
    } finally {
      await second.close();
      await first.close();
    }
  });

  it('is decided once when each of them has one signature at once', async function twoHubs() {
    this.timeout(START_MS_MAX);
    const databaseUrl = await postgresUrl();
    const first = await startHub({ databaseUrl });
    const second = await startHub({ databaseUrl, clock: first.clock });
    try {
      for (let round = 0; round < 10; round += 1) {
        const [ownerKey, newKey] = [await generateKey(), await generateKey()];
        const [owner, key] = [agentWith(first, ownerKey), agentWith(second, newKey)];
        const halves = await Promise.all([sign(owner, owner, key), sign(key, owner, key)]);
        const states = halves.map((half) => mustOk(half)['state']);
        assert.deepEqual(states.sort(), ['bound', 'pending']);
        assert.equal(await ownerOf(key), owner.account);
      }
    } finally {
      await second.close();
      await first.close();
    }
  });
});
