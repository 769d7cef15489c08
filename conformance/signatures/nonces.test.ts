import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { generateKey } from '../../clients/typescript/sign.ts';
import { unsigned } from '../kinds/fuzz/requests.ts';
import type { Agent } from '../harness/agents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { agentAhead, signedWithNonce } from './_craft.ts';

/** A nonce is taken once, by the last check of all (Authentication 5). */
const SENDS = 20;
const NONCE = 'the-same-for-both';

describe('nonces', () => {
  let world: Fixture;
  let alice: Agent;
  let bob: Agent;
  before(async () => {
    world = await openFixture();
    ({ alice, bob } = world);
    await world.fund(alice, '5000');
  });
  after(() => world.close());

  const paying = (idempotencyKey: string): Promise<Request> =>
    alice.signed('POST', `/api/v1/wallet/${alice.account}/pay`, {
      to: bob.account,
      amount: '10',
      idempotencyKey,
    });

  it(`lets one of ${SENDS} equal requests pass that arrive at once`, async () => {
    const request = await alice.signed('GET', '/api/v1/me');
    const sends = Array.from({ length: SENDS }, () => alice.send(request.clone()));
    const answers = await Promise.all(sends);
    const refused = answers.filter((answer) => answer.status !== 200);
    assert.equal(refused.length, SENDS - 1);
    for (const answer of refused) mustRefuse(answer, 401, 'replayed');
  });

  it('lets a payment that arrives many times at once move money once', async () => {
    const request = await paying('at-once');
    const sends = Array.from({ length: SENDS }, () => alice.send(request.clone()));
    const answers = await Promise.all(sends);
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    const wallet = mustOk(await bob.get(`/api/v1/wallet/${bob.account}`));
    assert.equal(wallet['balance'], '10');
  });

  it('is taken with the task that it publishes, once', async () => {
    const request = await alice.signed('POST', '/api/v1/tasks', task(alice));
    const sends = Array.from({ length: SENDS }, () => alice.send(request.clone()));
    const answers = await Promise.all(sends);
    const refused = answers.filter((answer) => answer.status !== 200);
    assert.equal(refused.length, SENDS - 1);
    for (const answer of refused) mustRefuse(answer, 401, 'replayed');
    const listed = mustOk(await bob.get(`/api/v1/tasks?requester=${alice.account}`));
    assert.equal(listed['count'], 1);
  });

  it('stays taken when the operation itself refuses', async () => {
    const tasks = await bob.signed('POST', '/api/v1/tasks', task(bob, '5000'));
    mustRefuse(await bob.send(tasks.clone()), 400, 'insufficient-funds');
    mustRefuse(await bob.send(tasks), 401, 'replayed');
    const claim = await bob.signed('POST', `/api/v1/tasks/${randomUUID()}/claim`, {
      agentId: bob.account,
    });
    mustRefuse(await bob.send(claim.clone()), 404, 'not-found');
    mustRefuse(await bob.send(claim), 401, 'replayed');
  });

  it('are each key’s own', async () => {
    const [one, other] = [await generateKey(), await generateKey()];
    for (const key of [one, other]) {
      const request = await signedWithNonce(world.hub, key, '/api/v1/me', NONCE);
      mustOk(await alice.send(request));
    }
    const again = await signedWithNonce(world.hub, one, '/api/v1/me', NONCE);
    mustRefuse(await alice.send(again), 401, 'replayed');
  });

  const task = ({ account: requester }: Agent, rewardAmount = '1000'): object => ({
    requester,
    title: 'Name one colour',
    rewardAmount,
  });

  const longer = async (request: Request): Promise<Request> => {
    const body = `${await request.clone().text()} `;
    return new Request(request.url, { method: 'POST', headers: request.headers, body });
  };
  const elsewhere = (request: Request, url: string): Request => new Request(url, request.clone());
  const refusals: readonly (readonly [string, (r: Request) => Request | Promise<Request>])[] = [
    ['unsigned', (r) => unsigned(r)],
    ['digest-mismatch', longer],
    ['unknown-key', (r) => elsewhere(r, r.url.replace('/pay', '/withdraw'))],
    ['incomplete-coverage', (r) => elsewhere(r, `${r.url}?network=sandbox`)],
  ];
  for (const [code, broken] of refusals) {
    it(`stays spendable when the request is refused as ${code}`, async () => {
      const request = await paying(`spendable-${code}`);
      mustRefuse(await alice.send(await broken(request.clone())), 401, code);
      mustOk(await alice.send(request));
    });
  }

  it('stays spendable when the signature was stale and is not any more', async () => {
    const early = await (await agentAhead(world.hub, 301)).signed('GET', '/api/v1/me');
    mustRefuse(await alice.send(early.clone()), 401, 'stale');
    world.hub.clock.advance(1);
    mustOk(await alice.send(early));
  });

  it('stays spendable when a field is refused', async () => {
    const request = await alice.signed('GET', '/api/v1/me?no-such-name=1');
    mustRefuse(await alice.send(request.clone()), 400, 'bad-request');
    mustRefuse(await alice.send(request), 400, 'bad-request');
  });

  it('stays spendable when the owner is another account', async () => {
    const request = await alice.signed('GET', `/api/v1/wallet/${bob.account}`);
    mustRefuse(await alice.send(request.clone()), 401, 'wrong-owner');
    mustRefuse(await alice.send(request), 401, 'wrong-owner');
  });

  it('stays taken for as long as its signature is good, sweeper or not', async () => {
    const request = await (await agentAhead(world.hub, 300)).signed('GET', '/api/v1/me');
    mustOk(await alice.send(request.clone()));
    world.hub.clock.advance(600);
    await world.hub.runJob('housekeeping');
    mustRefuse(await alice.send(request.clone()), 401, 'replayed');
    world.hub.clock.advance(1);
    await world.hub.runJob('housekeeping');
    mustRefuse(await alice.send(request), 401, 'stale');
  });
});
