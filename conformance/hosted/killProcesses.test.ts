import assert from 'node:assert/strict';
import type { Agent, Place } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { mustHaveConformed, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import type { HubProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import {
  callJob,
  expireCalls,
  isConnected,
  moneyOf,
  openKilledWorld,
  placeOf,
  PRICE,
  receiptIn,
  type HostedListing,
  type KilledWorld,
} from './_killed.ts';

const SUITE_MS_MAX = 60_000;
const FUNDS = PRICE * 10n;

/** Two processes share a database; the caller is at one, the agent's connection at the other. */
describe('two hubs on one PostgreSQL, of which one is killed while it forwards', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: KilledWorld;
  let listing: HostedListing;
  let caller: Agent;
  let [port, other]: readonly [number, Place] = [0, placeOf(0)];
  let [one, two]: HubProcess[] = [];
  let clean: (() => Promise<unknown>)[] = [];
  before(async () => {
    world = await openKilledWorld(async () => (await sharedPostgres()).freshDatabase());
    const connected = world.listings.find(({ via }) => via === 'connect');
    assert.ok(connected !== undefined);
    listing = connected;
    port = await world.port();
    other = placeOf(port);
  });
  after(async () => {
    await assertBooksBalance(world.store);
    await world.close();
    mustHaveConformed();
  });
  beforeEach(async () => {
    [one, two] = await Promise.all([world.start(), world.start(port)]);
    await isConnected(other, listing.holder);
    const connection = listing.connect(other);
    caller = await world.funded(FUNDS);
    clean = [() => connection.stop(), async () => one?.kill(), async () => two?.kill()];
  });
  afterEach(async () => {
    for (const end of clean) await end();
  });

  /** Held and at work, as far as the agent. */
  async function atWork(key: string): Promise<{
    readonly answer: ReturnType<typeof callJob>;
    readonly finish: () => void;
  }> {
    const [finish, before] = [world.hold(), world.worked(listing)];
    const answer = callJob(caller, listing, key);
    await until(() => world.worked(listing) > before);
    return { answer, finish };
  }

  it('the one that holds the connection: the next hub answers, and charges once', async () => {
    const earned = (await moneyOf(listing.holder)).balance;
    const { answer, finish } = await atWork('held-elsewhere');
    await two?.kill();
    finish();
    two = await world.start(port);
    const { outcome, cost } = receiptIn(await answer);
    assert.deepEqual([outcome, cost], ['served', `${PRICE}`]);
    assert.deepEqual(await moneyOf(caller), { balance: FUNDS - PRICE, held: 0n });
    assert.equal((await moneyOf(listing.holder)).balance - earned, PRICE);
  });

  it('the one where the caller waits: nothing is charged, and the connection stands', async () => {
    const earned = (await moneyOf(listing.holder)).balance;
    const { answer, finish } = await atWork('waited-here');
    const worked = world.worked(listing);
    await one?.kill();
    assert.equal(await answer, undefined);
    finish();
    await expireCalls(world.store);
    one = await world.start();
    await until(async () => (await moneyOf(caller)).held === 0n);
    const repeat = await callJob(caller, listing, 'waited-here');
    const { outcome, cost } = receiptIn(repeat);
    assert.deepEqual([outcome, cost], ['unknown', '0']);
    assert.equal(repeat && mustOk(repeat)['repeated'], true);
    assert.equal(world.worked(listing), worked, 'a repeat makes no call');
    assert.equal((await moneyOf(caller)).balance, FUNDS);
    const next = receiptIn(await callJob(caller, listing, 'after-it'));
    assert.deepEqual([next['outcome'], next['cost']], ['served', `${PRICE}`]);
    assert.equal((await moneyOf(listing.holder)).balance - earned, PRICE);
  });
});
