import assert from 'node:assert/strict';
import type { Agent, Place } from '../harness/agents.ts';
import { exchange, newAgent, visitor } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { makeSpace, spendable, writeNote } from '../memory/space.ts';
import { act, claim, publish } from '../tasks/_work.ts';
import { advance, DAY, funded, hubWithWorlds, openedBy, WORLD } from './_world.ts';

describe('worlds.advance', () => {
  let hub: Fixture;
  let place: Place;
  let requester: Agent;
  let worker: Agent;
  before(async () => {
    hub = await hubWithWorlds();
    place = await openedBy(hub, hub.alice);
    requester = await funded(place);
    worker = await newAgent(place);
  });
  after(() => hub.close());
  const stateOf = async (id: string): Promise<unknown> =>
    mustOk(await requester.get(`/api/v1/tasks/${id}`))['state'];

  it('moves the clock of the world and of nothing else', async () => {
    const moved = await advance(hub.alice, 3 * DAY);
    assert.deepEqual([moved['now'], moved['aheadSeconds']], ['2026-11-23T10:00:00.000Z', 3 * DAY]);
    const other = await openedBy(hub, hub.bob);
    const dates = [place, hub.hub, other].map(async (each) => {
      const time = mustOk(await visitor(each).get('/api/v1/time'));
      return String(at(time, 'body', 'now')).slice(0, 10);
    });
    assert.deepEqual(await Promise.all(dates), ['2026-11-23', '2026-11-20', '2026-11-20']);
  });

  it('moves the end of the world with its clock', async () => {
    const { bob } = hub;
    const { endsAt: before } = mustOk(await bob.post(WORLD));
    const moved = await advance(bob, 3 * DAY);
    assert.equal(Date.parse(String(moved['endsAt'])) - Date.parse(String(before)), 3 * DAY * 1000);
    assert.ok(Date.parse(String(moved['endsAt'])) > Date.parse(String(moved['now'])));
    mustOk(await bob.post(`${WORLD}/close`));
  });

  it('stops three years ahead', async () => {
    const { bob } = hub;
    await openedBy(hub, bob);
    for (let years = 0; years < 3; years += 1) await advance(bob, 366 * DAY);
    const refused = mustRefuse(
      await bob.post(`${WORLD}/advance`, { seconds: 1 }),
      400,
      'ceiling-reached',
    );
    assert.match(String(refused['error']), / 0 left/);
    mustOk(await bob.post(`${WORLD}/close`));
  });

  it('lets a lease end, so that the task is open again', async () => {
    const { id } = await publish(requester);
    await claim(worker, id);
    assert.equal(await stateOf(id), 'held');
    await advance(hub.alice, DAY);
    assert.equal(await stateOf(id), 'open');
  });

  it('accepts a result that the requester left alone, and pays it', async () => {
    const { id } = await publish(requester, {
      autoAcceptSeconds: 3_600,
      disputeWindowSeconds: 600,
    });
    const claimToken = await claim(worker, id);
    mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
    const path = `/api/v1/wallet/${worker.account}`;
    assert.equal(mustOk(await worker.get(path))['balance'], '0');
    await advance(hub.alice, 14 * DAY);
    assert.equal(await stateOf(id), 'paid');
    assert.notEqual(mustOk(await worker.get(path))['balance'], '0');
  });

  it('lets a deadline pass and returns the reward', async () => {
    const before = mustOk(await requester.get(`/api/v1/wallet/${requester.account}`));
    const { now } = mustOk(await hub.alice.get(WORLD));
    const deadline = new Date(Date.parse(String(now)) + 2 * DAY * 1000).toISOString();
    const { id } = await publish(requester, { deadline });
    await advance(hub.alice, 3 * DAY);
    assert.equal(await stateOf(id), 'expired');
    const after = mustOk(await requester.get(`/api/v1/wallet/${requester.account}`));
    assert.equal(after['spendable'], before['spendable']);
  });

  it('charges the rent of notes for each day', async () => {
    const owner = await funded(place);
    mustOk(await writeNote(owner, await makeSpace(owner, 'shared'), 'kept', { key: 'k' }));
    const before = await spendable(owner);
    await advance(hub.alice, 30 * DAY);
    assert.ok((await spendable(owner)) < before, 'rent was charged');
  });

  it('takes signatures of the real time afterwards, and each of them once', async () => {
    const payment = { to: worker.account, amount: '1000', idempotencyKey: 'again' };
    const request = await requester.signed(
      'POST',
      `/api/v1/wallet/${requester.account}/pay`,
      payment,
    );
    mustOk(await exchange(request.clone()));
    await advance(hub.alice, 40 * DAY);
    mustRefuse(await exchange(request), 401, 'replayed');
  });

  it('adds what two calls at once ask for', async () => {
    const { aheadSeconds } = mustOk(await hub.alice.get(WORLD));
    await Promise.all([advance(hub.alice, 60), advance(hub.alice, 60)]);
    const later = mustOk(await hub.alice.get(WORLD));
    assert.equal(later['aheadSeconds'], Number(aheadSeconds) + 120);
  });

  it('refuses time that goes back, stands, or leaps over a year', async () => {
    for (const seconds of [-1, 0, 31_622_401, 1.5]) {
      mustRefuse(await hub.alice.post(`${WORLD}/advance`, { seconds }), 400, 'bad-request');
    }
  });

  it('refuses an account without a world, whatever it knows of the world of another', async () => {
    const stranger = await hub.agent();
    const refused = mustRefuse(
      await stranger.post(`${WORLD}/advance`, { seconds: 60 }),
      404,
      'not-found',
    );
    assert.match(String(refused['hint']), /POST \/api\/v1\/me\/world/);
    mustRefuse(await requester.post(`${WORLD}/advance`, { seconds: 60 }), 404, 'not-found');
    mustRefuse(await hub.anyone.post(`${WORLD}/advance`, { seconds: 60 }), 401, 'unsigned');
  });

  it('keeps the books of the world balanced', async () => {
    const books = mustOk(await visitor(place).get('/api/v1/economy/conservation'));
    assert.equal(at(books, 'balanced'), true);
  });
});
