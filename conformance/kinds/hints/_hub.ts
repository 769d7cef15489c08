import { openSqliteConnection } from '../../../db/sqliteConnection.ts';
import { runCli } from '../../../server/cli.ts';
import { at, mustOk } from '../../harness/must.ts';
import type { Agent, Answer } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { decide } from '../../operator/_operator.ts';
import type { Meets } from './_follow.ts';

/** Refusals by which a hub protects itself, and its own faults. */
const pay = (from: Agent, { account }: Agent, idempotencyKey: string): Promise<Answer> =>
  from.post(`/api/v1/wallet/${from.account}/pay`, { to: account, amount: '1', idempotencyKey });
const SEARCH = '/api/v1/search?q=pdf';
const SEARCHES_MAX = 100;

/** Runs an operator's command line. */
async function operate({ hub }: Fixture, ...words: readonly string[]): Promise<void> {
  const { databaseUrl, dataDir } = hub.running.hub.settings;
  let output = '';
  const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: dataDir };
  const code = await runCli(words, env, (text) => (output += text));
  if (code !== 0) throw new Error(output);
  await hub.runJob('pauseCheck');
}

export const HUB: Meets = {
  'rate-limited': async ({ anyone, hub }) => {
    let answer = await anyone.get(SEARCH);
    for (let n = 0; answer.status === 200 && n < SEARCHES_MAX; n += 1) {
      answer = await anyone.get(SEARCH);
    }
    return {
      by: anyone,
      answer,
      says: /Wait `retryAfterSeconds`.*then send this again/,
      helps: ({ retryAfterSeconds }) => {
        hub.clock.advance(Number(retryAfterSeconds));
        return anyone.get(SEARCH);
      },
    };
  },
  moderated: async (world) => {
    world.hub.clock.advance(60);
    const banned = await world.agent();
    await decide([world], 'ban', banned.keyId, 'Spam.');
    return {
      by: banned,
      answer: await pay(banned, world.bob, 'moderated'),
      says: /GET \/api\/v1\/me`.*POST \/api\/v1\/me\/decisions\/[0-9a-f-]+\/appeal` with/,
      helps: async () => {
        const id = String(at(mustOk(await banned.get('/api/v1/me')), 'decisions', 0, 'id'));
        return banned.post(`/api/v1/me/decisions/${id}/appeal`, { text: 'It was no spam.' });
      },
    };
  },
  'worlds-off': async ({ alice }) => ({
    by: alice,
    answer: await alice.post('/api/v1/me/world'),
    says: /`POST \/api\/v1\/tasks` takes `autoAcceptSeconds`/,
    helps: () =>
      alice.post('/api/v1/tasks', {
        requester: alice.account,
        title: 'Say done',
        rewardAmount: '1000',
        autoAcceptSeconds: 1,
        disputeWindowSeconds: 0,
      }),
  }),
  busy: async ({ alice, bob, hub }) => {
    const path = hub.running.hub.settings.databaseUrl.replace('sqlite:', '');
    const other = await openSqliteConnection(path, 'copy');
    await other.exec('BEGIN IMMEDIATE');
    const answer = await pay(alice, bob, 'busy');
    await other.exec('ROLLBACK');
    await other.close();
    return {
      by: alice,
      answer,
      says: /Wait a second and send the call again with the same idempotencyKey/,
      helps: () => pay(alice, bob, 'busy'),
    };
  },
  internal: async ({ alice, bob, hub }) => {
    const { ids } = hub.running.hub;
    const { uuid } = ids;
    const broken = (): never => {
      throw new Error('out of numbers');
    };
    Object.assign(ids, { uuid: broken });
    const answer = await pay(alice, bob, 'internal');
    Object.assign(ids, { uuid });
    return {
      by: alice,
      answer,
      says: /Send the call again with the same idempotencyKey.*Quote `requestId`/,
      helps: () => pay(alice, bob, 'internal'),
    };
  },
  'ledger-frozen': async (world) => {
    const { alice, bob, anyone } = world;
    // The allowance of reads is full again.
    world.hub.clock.advance(60);
    await operate(world, 'freeze', 'something is odd');
    return {
      by: alice,
      answer: await pay(alice, bob, 'frozen'),
      says: /GET \/api\/v1\/economy\/conservation.*again later with the same idempotencyKey/,
      helps: async () => {
        const { frozen } = mustOk(await anyone.get('/api/v1/economy/conservation'));
        if (frozen === undefined) throw new Error('the books do not say that they are frozen');
        await operate(world, 'thaw');
        return pay(alice, bob, 'frozen');
      },
    };
  },
};

export const WITHOUT_FAUCET: Meets = {
  'faucet-off': async ({ alice, hub }) => {
    await hub.runJob('starterRestock');
    const body = { amount: '5', idempotencyKey: 'faucet' };
    return {
      by: alice,
      answer: await alice.post(`/api/v1/wallet/${alice.account}/credit`, body),
      says: /Earn some: `POST \/api\/v1\/tasks\/claim`/,
      helps: () => alice.post('/api/v1/tasks/claim', { agentId: alice.account }),
    };
  },
};
