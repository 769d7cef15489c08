import assert from 'node:assert/strict';
import { at } from '../harness/must.ts';
import { startHub } from '../harness/hub.ts';
import { read, type Body } from '../tasks/_work.ts';
import {
  accepts,
  COURT_MS_MAX,
  delivered,
  isSilent,
  judgeBy,
  karmaOf,
  onEachDatabase,
  openCourt,
  panels,
  recordOf,
  rejects,
  shown,
  type Conduct,
  type PanelDriver,
  type Judge,
} from './_court.ts';
import { until } from '../harness/waiting.ts';

/** Answers that are no vote: each costs the endpoint one of its three tries. */
const NO_VOTES: readonly [what: string, conduct: Conduct][] = [
  ['a closed connection', isSilent],
  ['another word', () => '{"verdict":"maybe"}'],
  ['prose before the word', () => 'I think it is accepted'],
  ['status 500', status(500, '{"verdict":"accepted"}')],
  ['status 404', status(404, 'accepted')],
  ['a redirect to itself', (_, r) => void r.writeHead(307, { location: '/verdict' }).end()],
  [
    'a redirect to a private address',
    (_, r) => void r.writeHead(307, { location: METADATA }).end(),
  ],
  ['a huge answer', () => `accepted ${'x'.repeat(70_000)}`],
  ['half an answer', half],
];
const METADATA = 'http://169.254.169.254/latest/meta-data';

/** Answers that are votes, and what is kept of their reason. */
const VOTES: readonly [answer: string, verdict: string, reason: string | undefined][] = [
  ['accepted', 'accepted', undefined],
  ['ACCEPTED - good work\nsecond line', 'accepted', 'good work'],
  ['  {"verdict":"rejected","reason":" spaced ","score":3}\n', 'rejected', 'spaced'],
];

function status(code: number, body: string): Conduct {
  return (_, response) => void response.writeHead(code).end(body);
}

function half(...[, response]: Parameters<Conduct>): void {
  response.writeHead(200, { 'content-length': '100' });
  response.write('accepted');
  setImmediate(() => response.destroy());
}

onEachDatabase('judges that do not judge', (url) => {
  let driver: PanelDriver;
  afterEach(() => driver.close());
  const open = async (judges: number, over: object = {}): Promise<void> => {
    driver = await openCourt({ judges, databaseUrl: await url(), ...over });
  };
  const later = async (seconds: number): Promise<void> => {
    driver.world.hub.clock.advance(seconds);
    await driver.sit();
  };
  const first = async (id: string): Promise<Judge> =>
    judgeBy(driver, at((await panels(driver, id))[0], 'judges', 0, 'account'));

  it('are called three times, 5 and 15 seconds apart, and replaced by the next draw', async () => {
    await open(4);
    const { judges, world } = driver;
    for (const judge of judges) judge.does(isSilent);
    const id = await delivered(driver);
    const silent = await first(id);
    for (const judge of judges) if (judge !== silent) judge.does(accepts);
    await driver.sit();
    assert.equal(silent.cases.length, 1);
    await later(4);
    assert.equal(silent.cases.length, 1, 'not before 5 s');
    await later(1);
    assert.equal(silent.cases.length, 2);
    await later(14);
    assert.equal(silent.cases.length, 2, 'not before 15 s');
    const before = await panels(driver, id);
    assert.deepEqual(shown(before[0]), ['drawn', 'drawn', 'drawn']);
    await later(1);
    assert.equal(silent.cases.length, 3);
    const [panel] = await panels(driver, id);
    assert.equal(at(panel, 'state'), 'decided');
    // Two votes are a majority of three: no other judge needs to be called.
    assert.deepEqual(shown(panel), ['no-show', 'accepted', 'accepted']);
    const { record, karma, paused } = await recordOf(driver, silent);
    assert.deepEqual([at(record, 'noShows'), karma, paused], [1, -1, false]);
    assert.equal((await read(world, id))['state'], 'accepted');
    assert.equal(at(await recordOf(driver, silent), 'record', 'rounds'), 0);
  });

  it('make room for the next in the order of the same draw, when the votes need one', async () => {
    await open(5);
    const { judges } = driver;
    const id = await delivered(driver);
    const order = (at((await panels(driver, id))[0], 'judges') as Body[]).map(({ account }) =>
      judgeBy(driver, account),
    );
    order[0]?.does(isSilent);
    order[1]?.does(rejects);
    for (const wait of [0, 5, 15]) await later(wait);
    const [panel] = await panels(driver, id);
    const words = shown(panel);
    assert.deepEqual(words, ['no-show', 'rejected', 'accepted', 'accepted']);
    const called = judgeBy(driver, at(panel, 'judges', 3, 'account'));
    assert.ok(!order.includes(called));
    assert.equal(judges.filter(({ cases }) => cases.length > 0).length, 4);
  });

  it('are paused after three no-shows in a row, until a synthetic case is answered', async () => {
    await open(1);
    const { world, judges } = driver;
    const [judge] = judges;
    assert.ok(judge !== undefined);
    judge.does(isSilent);
    await delivered(driver);
    for (let round = 0; round < 3; round += 1) {
      for (const wait of [0, 5, 15]) await later(wait);
      assert.equal((await recordOf(driver, judge))['paused'], round === 2);
      await later(30 * 60);
    }
    const seatNow = await recordOf(driver, judge);
    assert.deepEqual(
      [seatNow['pausedReason'], at(seatNow, 'record', 'noShows'), seatNow['karma']],
      ['no-shows', 3, -3],
    );
    const calls = judge.cases.length;
    await later(60);
    assert.equal(judge.cases.length, calls, 'no case is routed to it');
    await world.hub.runJob('seatProbes');
    assert.equal((await recordOf(driver, judge))['paused'], false);
    judge.does(accepts);
    await later(60);
    assert.equal(judge.cases.length, calls + 1);
    assert.equal(at(await recordOf(driver, judge), 'record', 'rounds'), 1);
  });

  it('have 30 seconds by the clock of the hub', async () => {
    await open(1);
    const { world, judges } = driver;
    const [judge] = judges;
    assert.ok(judge !== undefined);
    judge.does(({ nth }, response) => {
      if (nth > 1) response.end('accepted');
    });
    const id = await delivered(driver);
    const sitting = world.hub.runJob('panelCalls');
    await until(() => judge.cases.length === 1);
    world.hub.clock.advance(30);
    await sitting;
    assert.equal(judge.cases.length, 1);
    await later(5);
    const [panel] = await panels(driver, id);
    assert.deepEqual([at(panel, 'state'), shown(panel)], ['decided', ['accepted']]);
  });

  it('are asked again by the next process, when the hub died during the call', async () => {
    await open(1);
    const { world, judges } = driver;
    const [judge] = judges;
    assert.ok(judge !== undefined);
    judge.does(() => undefined);
    const id = await delivered(driver);
    const sitting = world.hub.runJob('panelCalls');
    await until(() => judge.cases.length === 1);
    world.hub.running.hub.outbound.close();
    await sitting;
    judge.does(accepts);
    const { databaseUrl, dataDir } = world.hub.running.hub.settings;
    if (!databaseUrl.startsWith('postgres')) return;
    const env = { HUB_ALLOW_PRIVATE_HOSTS: judge.pair, HUB_DATA_DIR: dataDir };
    const next = await startHub({ databaseUrl, clock: world.hub.clock, env });
    await next.runJob('panelCalls');
    assert.equal(judge.cases.length, 1, 'the call is claimed for a while');
    world.hub.clock.advance(45);
    await next.runJob('panelCalls');
    assert.equal(judge.cases.length, 2);
    assert.equal((await read(world, id))['state'], 'accepted');
    assert.equal(at(await recordOf(driver, judge), 'record', 'noShows'), 0, 'its fault it was not');
    await next.close();
  });
});

describe('what a judge may answer', function answers() {
  this.timeout(COURT_MS_MAX);
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ judges: 1 });
  });
  after(() => driver.close());

  it('is one word, in JSON or first in a text, with one line of reason', async () => {
    const [judge] = driver.judges;
    for (const [answer, verdict, reason] of VOTES) {
      judge?.does(() => answer);
      const id = await delivered(driver, { mode: 'exclusive' });
      await driver.sit();
      const [vote] = at((await panels(driver, id))[0], 'judges') as Body[];
      assert.deepEqual([vote?.['verdict'], vote?.['reason']], [verdict, reason], answer);
    }
  });

  it('is nothing else, however it looks', async () => {
    const [judge] = driver.judges;
    assert.ok(judge !== undefined);
    for (const [what, conduct] of NO_VOTES) {
      const id = await delivered(driver);
      judge.does(conduct);
      const calls: number = judge.cases.length;
      await driver.sit();
      assert.equal(judge.cases.length, calls + 1, what);
      assert.equal(at((await panels(driver, id))[0], 'state'), 'open', what);
      judge.does(accepts);
      driver.world.hub.clock.advance(5);
      await driver.sit();
      assert.equal(at((await panels(driver, id))[0], 'state'), 'decided', what);
    }
    assert.equal(at(await recordOf(driver, judge), 'record', 'noShows'), 0);
    assert.equal(await karmaOf(driver, judge.agent), 0);
  });
});
