import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onEachDatabase, openCourt, rejects, type PanelDriver } from '../validators/_court.ts';
import { accepted, DAY, disputed, ruled } from './_disputing.ts';
import { BY_PLACE, decide, won } from './_shares.ts';
import { act, claim, publish, read, RULE, submit, type Body } from './_work.ts';

/**
 * Every transition of choices tasks.transitions, over the wire: from which state to which, and by
 * what event. Each row brings a task of its own to the state before, takes the step and answers the
 * task's id. At the end the nine filters are asked: together they list every task there is, each
 * exactly once.
 */
const STATES = [
  ...['open', 'held', 'delivered', 'accepted', 'disputed'],
  ...['paid', 'refunded', 'withdrawn', 'expired'],
];

type Walk = (driver: PanelDriver) => Promise<string>;
interface Row {
  readonly says: string;
  readonly walk: Walk;
}

const row = (says: string, walk: Walk): Row => ({ says, walk });

async function published(driver: PanelDriver, over: Body = {}): Promise<string> {
  return (await publish(driver.world.alice, over)).id;
}

/** A step that must work. */
async function ok(answer: Promise<Parameters<typeof mustOk>[0]>): Promise<Body> {
  return mustOk(await answer);
}

async function offered(
  driver: PanelDriver,
  over: Body = {},
  result: unknown = 'done',
): Promise<string> {
  const { bob } = driver.world;
  const id = await published(driver, { mode: 'open', ...over });
  await ok(act(bob, id, 'solution', { agentId: bob.account, result }));
  return id;
}

async function delivers(
  driver: PanelDriver,
  over: Body = {},
  result: unknown = 'done',
): Promise<string> {
  const id = await published(driver, over);
  mustOk(await submit(driver.world.bob, id, result));
  return id;
}

const decides = (verb: string, over: Body = {}) => {
  return ({ world: { alice } }: PanelDriver, id: string) =>
    ok(act(alice, id, verb, { requester: alice.account, ...over }));
};
const accepts = decides('accept');
const refuses = decides('reject', { reason: 'no' });
const withdraws = decides('cancel');

async function waits(driver: PanelDriver, seconds: number, id: string): Promise<string> {
  driver.world.hub.clock.advance(seconds);
  await read(driver.world, id);
  return id;
}

const SHORT = 3_600;
const soon = ({ world: { hub } }: PanelDriver): Body => ({
  deadline: new Date(hub.clock.now() + SHORT * 1_000).toISOString(),
});

const ROWS: readonly Row[] = [
  row('T1 open: task.published', (driver) => published(driver)),
  row('T2 open>held: task.claimed', async (driver) => {
    const id = await published(driver);
    await claim(driver.world.bob, id);
    return id;
  }),
  row('T3 held>held: lease.renewed', async (driver) => {
    const id = await published(driver);
    await claim(driver.world.bob, id);
    await claim(driver.world.bob, id);
    return id;
  }),
  row('T4 held>accepted: task.accepted', (driver) => delivers(driver, { acceptance: RULE })),
  row('T5 held>delivered: task.delivered', (driver) => delivers(driver)),
  row('T6 held>open: attempt.refused', (driver) => delivers(driver, { acceptance: RULE }, 'no')),
  row('T7 held>open: attempt.failed', async (driver) => {
    const id = await published(driver);
    const claimToken = await claim(driver.world.bob, id);
    await ok(act(driver.world.bob, id, 'fail', { claimToken }));
    return id;
  }),
  row('T8 held>open: attempt.lapsed', async (driver) => {
    const id = await published(driver);
    await claim(await driver.world.agent(), id);
    return waits(driver, 1_800, id);
  }),
  row('T9 delivered>accepted: panel.accepted', async (driver) => {
    const id = await delivers(driver, { verification: 'validator' });
    await driver.sit();
    return id;
  }),
  row('T10 delivered>open: panel.rejected', async (driver) => {
    for (const judge of driver.judges) judge.does(rejects);
    const worker = await driver.world.agent();
    const id = await published(driver, { verification: 'validator' });
    mustOk(await submit(worker, id, 'x'));
    await driver.sit();
    for (const judge of driver.judges) judge.does(() => 'accepted');
    return id;
  }),
  row('T11 delivered>paid: task.accepted task.paid', async (driver) => {
    const id = await delivers(driver);
    await accepts(driver, id);
    return id;
  }),
  row('T11 open>paid: task.accepted task.paid', async (driver) => {
    const id = await offered(driver);
    await accepts(driver, id);
    return id;
  }),
  row('T11 accepted>paid: task.accepted task.paid', async (driver) => {
    const { id } = await accepted(driver);
    await accepts(driver, id);
    return id;
  }),
  row('T12 delivered>open: attempt.rejected', async (driver) => {
    const id = await delivers(driver);
    await refuses(driver, id);
    return id;
  }),
  row('T12 open>open: attempt.rejected', async (driver) => {
    const id = await offered(driver);
    await refuses(driver, id);
    return id;
  }),
  row('T13 delivered>accepted: task.auto-accepted', async (driver) => {
    const id = await delivers(driver, { autoAcceptSeconds: 60 });
    return waits(driver, 60, id);
  }),
  row('T13 open>accepted: task.auto-accepted', async (driver) => {
    const id = await offered(driver, { autoAcceptSeconds: 60 });
    return waits(driver, 60, id);
  }),
  row('T14 open>accepted: task.accepted', (driver) => offered(driver, { acceptance: RULE })),
  row('T15 open>open: attempt.refused', (driver) => offered(driver, { acceptance: RULE }, 'no')),
  row('T16 open>open: solution.offered', (driver) => offered(driver)),
  row('T17 open>open: attempt.announced', async (driver) => {
    const id = await published(driver);
    await ok(act(driver.world.bob, id, 'start', {}));
    return id;
  }),
  row('T18 open>open: pitch.offered pitch.chosen', async (driver) => {
    const { alice, bob } = driver.world;
    const id = await published(driver, { tags: ['pitch'] });
    const plan = { agentId: bob.account, plan: 'Line by line.' };
    const pitch = await ok(act(bob, id, 'pitch', plan));
    await ok(act(alice, id, 'choose', { requester: alice.account, pitchId: pitch['id'] }));
    return id;
  }),
  row('T19 accepted>paid: task.paid', async (driver) => {
    const { id } = await accepted(driver);
    return waits(driver, DAY, id);
  }),
  row(
    'T20 accepted>disputed: task.disputed dispute.drawn',
    async (driver) => (await disputed(driver)).id,
  ),
  row('T21 disputed>paid: dispute.ruled', async (driver) => {
    const { id } = await disputed(driver);
    await ruled(driver, id, 'rejected');
    return id;
  }),
  row('T21 disputed>paid: dispute.ruled', async (driver) => {
    const { id } = await disputed(driver);
    await ruled(driver, id, 'split', { workerShareBps: 1 });
    return id;
  }),
  row('T22 disputed>refunded: dispute.ruled', async (driver) => {
    const { id } = await disputed(driver);
    await ruled(driver, id, 'upheld');
    return id;
  }),
  row('T23 disputed>paid: dispute.late dispute.void', async (driver) => {
    const { id } = await disputed(driver);
    return waits(driver, 2 * DAY, id);
  }),
  row('T24 open>withdrawn: task.withdrawn', async (driver) => {
    const id = await published(driver);
    await withdraws(driver, id);
    return id;
  }),
  row('T25 open>expired: task.expired', async (driver) => {
    const id = await published(driver, soon(driver));
    return waits(driver, SHORT, id);
  }),
  row('T26 delivered>expired: delivery.ignored task.expired', async (driver) => {
    const id = await delivers(driver, soon(driver));
    return waits(driver, SHORT + 3 * DAY, id);
  }),
  row('T26 open>expired: delivery.ignored task.expired', async (driver) => {
    const id = await offered(driver, soon(driver));
    return waits(driver, SHORT + 3 * DAY, id);
  }),
  row('T27 open>paid: task.accepted task.paid', async (driver) => {
    const id = await offered(driver, { ...soon(driver), ...BY_PLACE });
    await waits(driver, SHORT, id);
    const { alice, bob } = driver.world;
    const page = await ok(bob.get(`/api/v1/tasks/${id}/solutions`));
    await ok(decide(alice, id, won((page['solutions'] as Body[]).map((one) => String(one['id'])))));
    return id;
  }),
  row('T28 open>paid: task.auto-accepted task.paid', async (driver) => {
    const id = await offered(driver, { ...soon(driver), ...BY_PLACE, acceptance: RULE });
    return waits(driver, SHORT + 3 * DAY, id);
  }),
];

/** The same court with a worker whom no earlier row cost its standing. */
async function withWorker({ world, ...driver }: PanelDriver): Promise<PanelDriver> {
  return { ...driver, world: { ...world, bob: await world.agent() } };
}

/** Rows that leave a task in each state that time ends. */
const PASSING = ['T1', 'T2', 'T4', 'T5', 'T20'];

onEachDatabase('the transitions of a task', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 4 });
    for (const judge of driver.judges) judge.does(() => 'accepted');
  });
  after(() => driver.close());

  for (const { says, walk } of ROWS) {
    it(says, async () => {
      const id = await walk(await withWorker(driver));
      const [states = '', names = ''] = says.replace(/^T\d+ /, '').split(': ');
      const [from, to = from] = states.split('>');
      const { state, history } = await read(driver.world, id);
      const events = history as Body[];
      const wanted = names.split(' ');
      const last = events.slice(-wanted.length);
      assert.deepEqual(
        last.map(({ event }) => event),
        wanted,
      );
      const before = events.at(-wanted.length - 1)?.['state'] ?? from;
      assert.deepEqual([before, state, last.at(-1)?.['state']], [from, to, to]);
    });
  }

  it('are all of choices tasks.transitions, T1 to T28', () => {
    const seen = new Set(ROWS.map(({ says }) => says.split(' ')[0]));
    const all = Array.from({ length: 28 }, (_, place) => `T${place + 1}`);
    assert.deepEqual([...seen], all);
  });

  it('end in states that the filter knows: no live task is hidden, none is listed twice', async () => {
    const { anyone } = driver.world;
    const listed = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      for (let before = ''; ;) {
        const page = mustOk(await anyone.get(`/api/v1/tasks?limit=20${query}${before}`));
        found.push(...(page['tasks'] as Body[]).map(({ id }) => String(id)));
        if (page['next'] === undefined) return found;
        before = `&after=${String(page['next'])}`;
      }
    };
    for (const { says, walk } of ROWS) {
      if (PASSING.includes(says.split(' ')[0] ?? '')) await walk(await withWorker(driver));
    }
    const byState: string[] = [];
    for (const state of STATES) {
      const ids = await listed(`&state=${state}`);
      assert.ok(ids.length > 0, `nothing is ${state}`);
      byState.push(...ids);
    }
    const all = await listed('');
    assert.deepEqual(byState.sort(), all.sort());
    assert.equal(new Set(all).size, all.length);
    const held = await listed('&payment=escrowed');
    const free = await listed('&payment=none');
    assert.deepEqual([...held, ...free].sort(), all);
    const refusal = mustRefuse(await anyone.get('/api/v1/tasks?state=done'), 400, 'unknown-filter');
    assert.deepEqual(at(refusal, 'allowed'), STATES);
  });
});
