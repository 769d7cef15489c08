import assert from 'node:assert/strict';
import { linkOf, statement } from '../../db/connection.ts';
import { lockMarket } from '../../db/predictions/markets.ts';
import { numberAt } from '../../db/predictions/numbers.ts';
import { probedListing } from '../../db/registry/fixture.ts';
import { saveListings } from '../../db/registry/listings.ts';
import type { Instant } from '../../domain/instant.ts';
import { METRICS, type Metric } from '../../domain/predictions/model.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { earn } from '../services/_lend.ts';
import { act, publish, RULE, submit } from '../tasks/_work.ts';
import { at, bet, closing, COUNTED, link, market, newMarket } from './_markets.ts';
import { onEachDatabase, takeSeat, type Fixture } from './_markets.ts';

const MINUTE = 60;
const WAITING = statement(`SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`);
const LAST_EVENTS = statement(`SELECT t.id, t.state, (SELECT v.state FROM task_events AS v
  WHERE v.task_id = t.id ORDER BY v.seq DESC LIMIT 1) AS last FROM tasks AS t`);

/**
 * Who knows what before whom (choices predictions.checks): the number that decides is the one of
 * the moment at which bets end, and nothing that is done from then on changes it.
 */
onEachDatabase('the number that decides a market', (world, agents) => {
  const pass = (seconds: number): void => world().hub.clock.advance(seconds);
  const checked = async (metric: string, value: number, after: number): Promise<string> => {
    const check = { metric, op: 'gte', value: `${value}` };
    return newMarket(world(), { check, closesAt: closing(world(), after) });
  };
  const sampled = async (id: string): Promise<unknown> =>
    at(await market(world(), id), 'sample', 'value');

  it('is that of closesAt, not that of the minute in which bets are still taken', async () => {
    const { yes, no } = agents();
    const { hub } = world();
    // To the start of a minute; the market closes 50 seconds into it.
    pass(MINUTE - ((hub.clock.now() / 1000) % MINUTE));
    const id = await checked('tasks.open', 1, 50);
    mustOk(await bet(no, id, 'no', 20_000));
    await hub.runJob('settleMarkets');
    pass(30);
    const { id: task } = await publish(agents().maker);
    pass(19);
    mustOk(await bet(yes, id, 'yes', 10_000));
    pass(1);
    mustRefuse(await bet(no, id, 'no', 10_000), 400, 'market-closed');
    mustOk(await cancel(agents().maker, task));
    pass(COUNTED);
    const body = await market(world(), id);
    assert.deepEqual([at(body, 'sample', 'value'), body['outcome']], ['1', 'yes']);
    assert.equal(at(body, 'sample', 'at'), at(body, 'window', 'closesAt'));
  });

  it('judges a bet that waited for its market by the clock of after the wait', async () => {
    const { store } = world().hub.running.hub;
    const id = await newMarket(world(), { closesAt: closing(world(), MINUTE) });
    let bets: Promise<Answer> | undefined;
    await store.write(async (tx) => {
      await lockMarket(tx, id);
      bets = bet(agents().yes, id, 'yes', 10_000);
      if (linkOf(tx).dialect === 'postgres') {
        const waits = async (): Promise<boolean> =>
          (await store.read((db) => linkOf(db).rows(WAITING, []))).length > 0;
        await until(waits);
      }
      pass(MINUTE);
    });
    assert.ok(bets !== undefined);
    mustRefuse(await bets, 400, 'market-closed');
  });

  it('does not count what is done at closesAt or later, until it is settled', async () => {
    const { maker, yes, no } = agents();
    const up = await checked('tasks.open', 1, MINUTE);
    const down = await checked('tasks.open', 1, 2 * MINUTE);
    for (const id of [up, down]) {
      mustOk(await bet(yes, id, 'yes', 10_000));
      mustOk(await bet(no, id, 'no', 10_000));
    }
    pass(MINUTE);
    // A loser by now who raises the number from 0.
    const { id: task } = await publish(maker);
    pass(COUNTED);
    assert.equal(await sampled(up), '0');
    pass(MINUTE - COUNTED);
    // And one who lowers it from 1, twice over.
    mustOk(await cancel(maker, task));
    const { id: other } = await publish(maker);
    mustOk(await cancel(maker, other));
    pass(COUNTED);
    assert.deepEqual([await sampled(up), await sampled(down)], ['0', '1']);
  });

  it('is the same for every metric, whatever is done after closing', async () => {
    const { maker, no, judge } = agents();
    const { hub } = world();
    const other = await world().agent();
    const worker = await world().agent();
    await world().fund(other, '5000000');
    await earn(no, worker);
    const accepted = await delivered(maker, worker);
    const open = await publish(maker);
    await looks(world(), 'before', true);
    await hub.runJob('pulse');
    pass(MINUTE);
    const closesAt = hub.clock.now();
    const known = await numbers(world(), closesAt);
    // Each number is moved at the very moment at which bets have ended.
    await earn(no, judge);
    await earn(no, judge, { rewardAmount: '2000000' });
    await world().fund(other, '1');
    await link(world(), no, worker);
    mustOk(await act(maker, accepted, 'dispute', { raisedBy: maker.account, reason: 'Made up.' }));
    mustOk(await cancel(maker, open.id));
    for (let nth = 0; nth < 3; nth += 1) await publish(maker);
    await takeSeat(other);
    await newMarket(world());
    await looks(world(), 'before', false);
    await looks(world(), 'after', true);
    await looks(world(), 'later', true);
    const forgetCall = await callOf(world(), other.account);
    await handOf(world(), maker);
    assert.deepEqual(await numbers(world(), closesAt), known);
    pass(10 * MINUTE);
    await hub.runJob('pulse');
    pass(1);
    assert.deepEqual(await numbers(world(), closesAt), known);
    const later = await numbers(world(), hub.clock.now());
    const still = METRICS.filter((metric) => later.get(metric) === known.get(metric));
    await forgetCall();
    assert.deepEqual(still, [], 'each of them was moved');
  });

  it('counts a validator that leaves and comes back after closing', async () => {
    const { judge } = agents();
    const { hub } = world();
    const closesAt = hub.clock.now();
    const known = await numbers(world(), closesAt);
    mustOk(await judge.post('/api/v1/validators/resign', { account: judge.account }));
    pass(1);
    await takeSeat(judge);
    assert.deepEqual(await numbers(world(), closesAt), known);
  });

  it('knows the state of every task from its events', async () => {
    const { store } = world().hub.running.hub;
    const rows = await store.read((db) => linkOf(db).rows(LAST_EVENTS, []));
    const wrong = rows.filter(({ state, last }) => state !== last);
    assert.ok(rows.length > 5);
    assert.deepEqual(wrong, []);
  });
});

function cancel(agent: Agent, id: string): Promise<Answer> {
  return act(agent, id, 'cancel', { requester: agent.account });
}

async function numbers({ hub }: Fixture, moment: Instant): Promise<ReadonlyMap<Metric, bigint>> {
  const { network } = hub.running.hub.settings;
  const counted = await hub.running.hub.store.read((db) =>
    inOrder(METRICS, async (metric) => {
      const { value } = await numberAt(db, metric, network, moment);
      return [metric, value] as const;
    }),
  );
  return new Map(counted);
}

async function inOrder<A, B>(all: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const done: B[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}

/** A result that waits for its payout. */
async function delivered(requester: Agent, worker: Agent): Promise<string> {
  const { id } = await publish(requester, { acceptance: RULE, disputeWindowSeconds: 3_600 });
  mustOk(await submit(worker, id, 'done'));
  return id;
}

/** A look at an agent that is live and quotes a price, or neither. */
async function looks({ hub }: Fixture, name: string, live: boolean): Promise<void> {
  const listing = probedListing({
    origin: `https://${name}.example`,
    availability: live ? 'live' : 'unreachable',
    quotesX402: live,
  });
  const { store, clock } = hub.running.hub;
  await store.write((tx) => saveListings(tx, [{ listing, skills: [] }], clock.now()));
}

/** A served and paid call that ends now, outside of the books; answers how to take it back. */
async function callOf({ hub }: Fixture, caller: string): Promise<() => Promise<void>> {
  const { store, clock, ids, settings } = hub.running.hub;
  const [id, now] = [ids.uuid(), clock.now()];
  await store.write(async (tx) => {
    const transfer = await tx.knex('transfers').max('id as id').first<{ id: string }>();
    await tx.knex('calls').insert({
      id,
      caller,
      network: settings.network,
      operation: 'add',
      at: now - 2_000,
      resolve_at: now,
      ended_at: now,
      outcome: 'served',
      why: 'It answered.',
      cost: 5,
      duration_ms: 2_000,
      response_bytes: 2,
      refused: '[]',
      considered: '[]',
      held: 0,
      paid_to: caller,
      transfer_id: transfer.id,
    });
    const attempt = { call_id: id, n: 1, listing_id: 'x', operation: 'add', caller, linked: 0 };
    const ended = { ended: 'ok', latency_ms: 2_000, at: now - 2_000 };
    await tx.knex('call_attempts').insert({ ...attempt, ...ended });
  });
  return () =>
    store.write(async (tx) => {
      await tx.knex('call_attempts').where({ call_id: id }).delete();
      await tx.knex('calls').where({ id }).delete();
    });
}

/** A hand that ends now. */
async function handOf({ hub }: Fixture, agent: Agent): Promise<void> {
  const table = { format: 'cash', seats: 2, bigBlind: '100' };
  const { id } = mustOk(await agent.post('/api/v1/games/poker/tables', table));
  const { store, clock } = hub.running.hub;
  await store.write(async (tx) => {
    const hand = { table_id: id, n: 1, ended_at: clock.now(), body: '{}' };
    await tx.knex('poker_hands').insert(hand);
  });
}
