import { generateKey } from '../../../clients/typescript/sign.ts';
import { agentWith, exchange, plain, type Agent, type Answer } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { mustOk } from '../../harness/must.ts';
import { compat, mintKey } from '../../models/_desk.ts';
import type { Body } from '../../tasks/_work.ts';
import { firstAllowed, unnested, type Meets } from './_follow.ts';

/** Refusals of the request itself: its method, its signature, its body, its values. */
const pay = (from: Agent, body: Body): Promise<Answer> =>
  from.post(`/api/v1/wallet/${from.account}/pay`, { amount: '1000', ...body });

/** A signed request with one of its headers changed after signing. */
async function changed(
  { anyone }: Fixture,
  request: Request,
  name: string,
  change: (value: string) => string,
): Promise<Answer> {
  const headers = new Headers(request.headers);
  headers.set(name, change(String(headers.get(name))));
  return anyone.send(new Request(request, { headers }));
}

/** The body as text, so that it can be what no JSON writer makes. */
function sendText({ hub, anyone }: Fixture, path: string, body: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return anyone.send(new Request(new URL(path, hub.url), { method: 'POST', headers, body }));
}

const OF_SIGNATURES: Meets = {
  'incomplete-coverage': async (world) => {
    const { bob } = world;
    const body = { hello: 'hub' };
    const request = await bob.signed('POST', '/api/v1/quickstart/check', body);
    const same = await bob.signed('POST', `/api/v1/wallet/${bob.account}/keys`, {
      publicKey: bob.keyId,
    });
    const uncover = (value: string): string => value.replace(' "content-digest"', '');
    return {
      by: bob,
      answer: await changed(world, same, 'signature-input', uncover),
      says: /covered list of `Signature-Input`.*sign again.*quickstart\/check/,
      helps: async () => {
        const shown = mustOk(await changed(world, request, 'signature-input', uncover));
        if (shown['reason'] !== 'incomplete-coverage') throw new Error(JSON.stringify(shown));
        return bob.post(`/api/v1/wallet/${bob.account}/keys`, { publicKey: bob.keyId });
      },
    };
  },
  'digest-mismatch': async (world) => {
    const { alice, bob } = world;
    const body = { to: bob.account, amount: '1000', idempotencyKey: 'digest' };
    const request = await alice.signed('POST', `/api/v1/wallet/${alice.account}/pay`, body);
    const headers = [...request.headers].filter(([name]) => name !== 'content-length');
    const bytes = `${await request.text()} `;
    const { url, method } = request;
    return {
      by: alice,
      answer: await alice.send(new Request(url, { method, headers, body: bytes })),
      says: /hash those bytes, send those bytes.*Then sign again/,
      helps: () => pay(alice, body),
    };
  },
  stale: async ({ hub }) => {
    const key = await generateKey();
    const behind = { url: hub.url, clock: { now: () => hub.clock.now() - 600_000 } };
    const slow = agentWith(behind, key);
    return {
      by: agentWith(hub, key),
      answer: await slow.get('/api/v1/me'),
      says: /correct your clock by `hubTime`.*sign again/,
      helps: ({ hubTime }) => {
        const now = (): number => Date.parse(String(hubTime));
        return agentWith({ url: hub.url, clock: { now } }, key).get('/api/v1/me');
      },
    };
  },
  replayed: async ({ alice, bob, anyone }) => {
    const body = { to: bob.account, amount: '1000', idempotencyKey: 'replayed' };
    const request = await alice.signed('POST', `/api/v1/wallet/${alice.account}/pay`, body);
    mustOk(await anyone.send(request.clone()));
    return {
      by: alice,
      answer: await anyone.send(request),
      says: /fresh random nonce.*sign again.*same idempotencyKey.*`repeated` true/,
      helps: async () => {
        const again = await pay(alice, body);
        if (again.body['repeated'] !== true) throw new Error(again.text);
        return again;
      },
    };
  },
  'api-key': async (world) => {
    const { alice } = world;
    const refused = unnested(await compat(world, '/v1/models', undefined));
    // The caller is not known yet, so the hint says what stands in the place of the owner.
    const hint = String(refused.body['hint']);
    const filled = { ...refused.body, hint: hint.replaceAll('{owner}', alice.account) };
    return {
      by: alice,
      answer: { ...refused, body: filled },
      says: /Mint a key.*POST \S+\/api-keys`, whose owner is your account.*Authorization: Bearer/,
      helps: async () => compat(world, '/v1/models', await mintKey(alice)),
    };
  },
};

const OF_FORMS: Meets = {
  'method-not-allowed': async ({ hub, anyone }) => ({
    by: anyone,
    answer: await anyone.send(plain(hub, 'DELETE', '/api/v1/networks')),
    says: /one of the methods in `allowed`/,
    helps: (refusal) => exchange(plain(hub, firstAllowed(refusal), '/api/v1/networks')),
  }),
  'bad-json': async (world) => ({
    by: world.anyone,
    answer: await sendText(world, '/api/v1/handshake', '{"name":"a","name":"b"}'),
    says: /Send the call again with one JSON value/,
    helps: () => sendText(world, '/api/v1/handshake', '{"name":"b"}'),
  }),
  'unknown-field-value': async ({ alice }) => {
    const body = { requester: alice.account, title: 'x', rewardAmount: '10000' };
    return {
      by: alice,
      answer: await alice.post('/api/v1/tasks', { ...body, mode: 'race' }),
      says: /one of the values in `allowed`/,
      helps: (refusal) => alice.post('/api/v1/tasks', { ...body, mode: firstAllowed(refusal) }),
    };
  },
  'unknown-filter': async ({ anyone }) => ({
    by: anyone,
    answer: await anyone.get('/api/v1/tasks?state=closed'),
    says: /one of the values in `allowed`, or without the filter/,
    helps: async (refusal) => {
      mustOk(await anyone.get(`/api/v1/tasks?state=${firstAllowed(refusal)}`));
      return anyone.get('/api/v1/tasks');
    },
  }),
  'not-together': async ({ alice }) => ({
    by: alice,
    answer: await alice.get('/api/v1/me/work?role=requester&state=announced'),
    says: /Leave query\.state out.*GET \/api\/v1\/me\/work` again/,
    helps: async (refusal) => {
      const state = firstAllowed(refusal);
      mustOk(await alice.get(`/api/v1/me/work?role=requester&state=${state}`));
      return alice.get('/api/v1/me/work?role=requester');
    },
  }),
  'bad-account': async ({ alice, bob }) => ({
    by: bob,
    answer: await pay(alice, { to: 'bob', idempotencyKey: 'bad-account' }),
    says: /Write `key:` and the base58 form.*GET \/api\/v1\/me`, signed, shows/,
    helps: async () => {
      const { owner } = mustOk(await bob.get('/api/v1/me'));
      return pay(alice, { to: owner, idempotencyKey: 'bad-account' });
    },
  }),
  'bad-amount': async ({ alice, bob }) => {
    const body = { to: bob.account, idempotencyKey: 'bad-amount' };
    return {
      by: alice,
      answer: await pay(alice, { ...body, amount: 0.25 }),
      says: /as a string: 1 USDC is "1000000"/,
      helps: () => pay(alice, { ...body, amount: '250000' }),
    };
  },
  'idempotency-mismatch': async ({ alice, bob }) => {
    const first = { to: bob.account, idempotencyKey: 'mine' };
    mustOk(await pay(alice, first));
    return {
      by: alice,
      answer: await pay(alice, { ...first, amount: '2000' }),
      says: /exactly the first request again.*again with a new key/,
      helps: async () => {
        if (mustOk(await pay(alice, first))['repeated'] !== true) throw new Error('not repeated');
        return pay(alice, { ...first, amount: '2000', idempotencyKey: 'another' });
      },
    };
  },
  'call-under-way': async ({ alice }) => {
    const path = `/api/v1/wallet/${alice.account}/erase`;
    const make = (): Promise<Request> =>
      alice.signed('POST', path, { confirm: 'erase' }, { 'idempotency-key': 'erase' });
    const requests = await Promise.all(Array.from({ length: 10 }, make));
    const answers = await Promise.all(requests.map((each) => alice.send(each)));
    const refused = answers.find(({ status }) => status === 409);
    if (refused === undefined) throw new Error('each call was over before the next one came');
    return {
      by: alice,
      answer: refused,
      says: /Wait `retryAfterSeconds`.*same call again with the same key/,
      helps: async () => alice.send(await make()),
    };
  },
};

export const REQUESTS: Meets = { ...OF_SIGNATURES, ...OF_FORMS };
