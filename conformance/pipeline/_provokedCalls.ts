import { act, claim, publish, type Body } from '../tasks/_work.ts';
import type { Fixture } from '../harness/fixture.ts';
import { PROVOKED_IN_AREAS, type Provoke } from './_provoked.ts';
import { PROVOKED_IN_GAMES } from './_provokedGames.ts';
import { PROVOKED_OF_HOLDINGS } from './_provokedHoldings.ts';

/**
 * Codes whose hint names a call, provoked at a hub of which the address is enough. Those of work,
 * terms, credit and bonuses are in `tasks/codes.test.ts`, the others in `hints/`.
 */
const OTHER = 'key:2pjhfmncmRWKnZh5TgmGbxVaNDx6tWi5YvB1eAwnuxHY';
const ID = '01a1f866-0d00-70d6-bc9e-3977f7c4f1c7';

const visitorGets =
  (path: string): Provoke =>
  async ({ anyone }) => ({ by: anyone, answer: await anyone.get(path) });
const alicePosts =
  (path: string, body: (world: Fixture) => Body = () => ({})): Provoke =>
  async (world) => {
    const { alice } = world;
    return { by: alice, answer: await alice.post(path, body(world)) };
  };
const ofWallet =
  (verb: string, body: Body): Provoke =>
  async ({ alice }) => {
    const path = `/api/v1/wallet/${alice.account}/${verb}`;
    return { by: alice, answer: await alice.post(path, body) };
  };
/** Bob does something with a task of Alice's. */
const bobWith =
  (
    over: Body,
    verb: string,
    body: Body = {},
    before?: (w: Fixture, id: string) => Promise<unknown>,
  ): Provoke =>
  async (world) => {
    const { alice, bob } = world;
    const { id } = await publish(alice, over);
    await before?.(world, id);
    return { by: bob, answer: await act(bob, id, verb, { agentId: bob.account, ...body }) };
  };
const claimedBy = async ({ agent }: Fixture, id: string): Promise<unknown> =>
  claim(await agent(), id);
const RESULT = { result: 'done' };

const OF_CALLS: Readonly<Record<string, Provoke>> = {
  'no-route': visitorGets('/api/v1/task'),
  unsigned: visitorGets('/api/v1/me'),
  'unknown-key': async ({ alice, anyone }) => {
    const request = await alice.signed('GET', '/api/v1/me');
    const headers = new Headers(request.headers);
    headers.set('signature', `sig1=:${Buffer.alloc(64, 1).toString('base64')}:`);
    return { by: alice, answer: await anyone.send(new Request(request.url, { headers })) };
  },
  'bad-request': alicePosts('/api/v1/tasks', ({ alice }) => ({
    requester: alice.account,
    title: 7,
  })),
  'missing-field': alicePosts('/api/v1/tasks', ({ alice }) => ({ requester: alice.account })),
  'bad-path': visitorGets('/api/v1/tasks/zzz'),
  'not-found': visitorGets(`/api/v1/tasks/${ID}`),
  'wrong-owner': async ({ alice, bob }) => ({
    by: alice,
    answer: await alice.get(`/api/v1/wallet/${bob.account}`),
  }),
  'network-unknown': ofWallet('pay', {
    to: OTHER,
    amount: '1',
    network: 'moon',
    idempotencyKey: 'n',
  }),
  'insufficient-funds': async ({ agent, alice }) => {
    const poor = await agent();
    const path = `/api/v1/wallet/${poor.account}/pay`;
    const body = { to: alice.account, amount: '5', idempotencyKey: 'i' };
    return { by: poor, answer: await poor.post(path, body) };
  },
  'wrong-state': async ({ alice }) => {
    const { id } = await publish(alice);
    const body = { requester: alice.account };
    await act(alice, id, 'cancel', body);
    return { by: alice, answer: await act(alice, id, 'cancel', body) };
  },
  'wrong-mode': bobWith({ mode: 'open' }, 'claim'),
  'already-claimed': bobWith({}, 'claim', {}, claimedBy),
  'claim-token': bobWith({}, 'submit', { claimToken: 'x'.repeat(43), ...RESULT }, claimedBy),
  'bad-acceptance': alicePosts('/api/v1/tasks', ({ alice }) => ({
    requester: alice.account,
    title: 'x',
    rewardAmount: '10000',
    acceptance: { kind: 'json_schema', schema: { type: 'strin' } },
  })),
  'no-seat': alicePosts('/api/v1/validators/resign', ({ alice }) => ({ account: alice.account })),
  'model-unknown': alicePosts('/api/v1/models/chat', ({ alice }) => ({
    caller: alice.account,
    model: 'no-such-model',
    messages: [{ role: 'user', content: 'x' }],
  })),
  'key-not-bound': alicePosts('/api/v1/passport', ({ bob }) => ({ keyId: bob.keyId })),
};

export const PROVOKED: Readonly<Record<string, Provoke>> = {
  ...OF_CALLS,
  ...PROVOKED_IN_AREAS,
  ...PROVOKED_IN_GAMES,
  ...PROVOKED_OF_HOLDINGS,
};
