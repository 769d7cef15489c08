import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onEachDatabase, openCourt, rejects, type Court } from '../validators/_court.ts';
import { accepted, DAY, disputed, ruled } from './_disputing.ts';
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

type Walk = (court: Court) => Promise<string>;
interface Row {
  readonly says: string;
  readonly walk: Walk;
}

const row = (says: string, walk: Walk): Row => ({ says, walk });

async function published(court: Court, over: Body = {}): Promise<string> {
  return (await publish(court.world.alice, over)).id;
}

/** A step that must work. */
async function ok(answer: Promise<Parameters<typeof mustOk>[0]>): Promise<Body> {
  return mustOk(await answer);
}

async function offered(court: Court, over: Body = {}, result: unknown = 'done'): Promise<string> {
  const { bob } = court.world;
  const id = await published(court, { mode: 'open', ...over });
  await ok(act(bob, id, 'solution', { agentId: bob.account, result }));
  return id;
}

async function delivers(court: Court, over: Body = {}, result: unknown = 'done'): Promise<string> {
  const id = await published(court, over);
  mustOk(await submit(court.world.bob, id, result));
  return id;
}

const decides = (verb: string, over: Body = {}) => {
  return ({ world: { alice } }: Court, id: string) =>
    ok(act(alice, id, verb, { requester: alice.account, ...over }));
};
const accepts = decides('accept');
const refuses = decides('reject', { reason: 'no' });
const withdraws = decides('cancel');

async function waits(court: Court, seconds: number, id: string): Promise<string> {
  court.world.hub.clock.advance(seconds);
  await read(court.world, id);
  return id;
}

const SHORT = 3_600;
const soon = ({ world: { hub } }: Court): Body => ({
  deadline: new Date(hub.clock.now() + SHORT * 1_000).toISOString(),
});

const ROWS: readonly Row[] = [
  row('T1 open: task.published', (court) => published(court)),
  row('T2 open>held: task.claimed', async (court) => {
    const id = await published(court);
    await claim(court.world.bob, id);
    return id;
  }),
  row('T3 held>held: lease.renewed', async (court) => {
    const id = await published(court);
    await claim(court.world.bob, id);
    await claim(court.world.bob, id);
    return id;
  }),
  row('T4 held>accepted: task.accepted', (court) => delivers(court, { acceptance: RULE })),
  row('T5 held>delivered: task.delivered', (court) => delivers(court)),
  row('T6 held>open: attempt.refused', (court) => delivers(court, { acceptance: RULE }, 'no')),
  row('T7 held>open: attempt.failed', async (court) => {
    const id = await published(court);
    const claimToken = await claim(court.world.bob, id);
    await ok(act(court.world.bob, id, 'fail', { claimToken }));
    return id;
  }),
  row('T8 held>open: attempt.lapsed', async (court) => {
    const id = await published(court);
    await claim(await court.world.agent(), id);
    return waits(court, 1_800, id);
  }),
  row('T9 delivered>accepted: panel.accepted', async (court) => {
    const id = await delivers(court, { verification: 'validator' });
    await court.sit();
    return id;
  }),
  row('T10 delivered>open: panel.rejected', async (court) => {
    for (const judge of court.judges) judge.does(rejects);
    const worker = await court.world.agent();
    const id = await published(court, { verification: 'validator' });
    mustOk(await submit(worker, id, 'x'));
    await court.sit();
    for (const judge of court.judges) judge.does(() => 'accepted');
    return id;
  }),
  row('T11 delivered>paid: task.accepted task.paid', async (court) => {
    const id = await delivers(court);
    await accepts(court, id);
    return id;
  }),
  row('T11 open>paid: task.accepted task.paid', async (court) => {
    const id = await offered(court);
    await accepts(court, id);
    return id;
  }),
  row('T11 accepted>paid: task.accepted task.paid', async (court) => {
    const { id } = await accepted(court);
    await accepts(court, id);
    return id;
  }),
  row('T12 delivered>open: attempt.rejected', async (court) => {
    const id = await delivers(court);
    await refuses(court, id);
    return id;
  }),
  row('T12 open>open: attempt.rejected', async (court) => {
    const id = await offered(court);
    await refuses(court, id);
    return id;
  }),
  row('T13 delivered>accepted: task.auto-accepted', async (court) => {
    const id = await delivers(court, { autoAcceptSeconds: 60 });
    return waits(court, 60, id);
  }),
  row('T13 open>accepted: task.auto-accepted', async (court) => {
    const id = await offered(court, { autoAcceptSeconds: 60 });
    return waits(court, 60, id);
  }),
  row('T14 open>accepted: task.accepted', (court) => offered(court, { acceptance: RULE })),
  row('T15 open>open: attempt.refused', (court) => offered(court, { acceptance: RULE }, 'no')),
  row('T16 open>open: solution.offered', (court) => offered(court)),
  row('T17 open>open: attempt.announced', async (court) => {
    const id = await published(court);
    await ok(act(court.world.bob, id, 'start', {}));
    return id;
  }),
  row('T18 open>open: pitch.offered pitch.chosen', async (court) => {
    const { alice, bob } = court.world;
    const id = await published(court, { tags: ['pitch'] });
    const plan = { agentId: bob.account, plan: 'Line by line.' };
    const pitch = await ok(act(bob, id, 'pitch', plan));
    await ok(act(alice, id, 'choose', { requester: alice.account, pitchId: pitch['id'] }));
    return id;
  }),
  row('T19 accepted>paid: task.paid', async (court) => {
    const { id } = await accepted(court);
    return waits(court, DAY, id);
  }),
  row(
    'T20 accepted>disputed: task.disputed dispute.drawn',
    async (court) => (await disputed(court)).id,
  ),
  row('T21 disputed>paid: dispute.ruled', async (court) => {
    const { id } = await disputed(court);
    await ruled(court, id, 'rejected');
    return id;
  }),
  row('T21 disputed>paid: dispute.ruled', async (court) => {
    const { id } = await disputed(court);
    await ruled(court, id, 'split', { workerShareBps: 1 });
    return id;
  }),
  row('T22 disputed>refunded: dispute.ruled', async (court) => {
    const { id } = await disputed(court);
    await ruled(court, id, 'upheld');
    return id;
  }),
  row('T23 disputed>paid: dispute.late dispute.void', async (court) => {
    const { id } = await disputed(court);
    return waits(court, 2 * DAY, id);
  }),
  row('T24 open>withdrawn: task.withdrawn', async (court) => {
    const id = await published(court);
    await withdraws(court, id);
    return id;
  }),
  row('T25 open>expired: task.expired', async (court) => {
    const id = await published(court, soon(court));
    return waits(court, SHORT, id);
  }),
  row('T26 delivered>expired: delivery.ignored task.expired', async (court) => {
    const id = await delivers(court, soon(court));
    return waits(court, SHORT + 3 * DAY, id);
  }),
  row('T26 open>expired: delivery.ignored task.expired', async (court) => {
    const id = await offered(court, soon(court));
    return waits(court, SHORT + 3 * DAY, id);
  }),
];

/** The same court with a worker whom no earlier row cost its standing. */
async function withWorker({ world, ...court }: Court): Promise<Court> {
  return { ...court, world: { ...world, bob: await world.agent() } };
}

/** Rows that leave a task in each state that time ends. */
const PASSING = ['T2', 'T4', 'T5', 'T20'];

onEachDatabase('the transitions of a task', (url) => {
  let court: Court;
  before(async () => {
    court = await openCourt({ databaseUrl: await url(), judges: 4 });
    for (const judge of court.judges) judge.does(() => 'accepted');
  });
  after(() => court.close());

  for (const { says, walk } of ROWS) {
    it(says, async () => {
      const id = await walk(await withWorker(court));
      const [states = '', names = ''] = says.replace(/^T\d+ /, '').split(': ');
      const [from, to = from] = states.split('>');
      const { state, history } = await read(court.world, id);
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

  it('are all of choices tasks.transitions, T1 to T26', () => {
    const seen = new Set(ROWS.map(({ says }) => says.split(' ')[0]));
    const all = Array.from({ length: 26 }, (_, place) => `T${place + 1}`);
    assert.deepEqual([...seen], all);
  });

  it('end in states that the filter knows: no live task is hidden, none is listed twice', async () => {
    const { anyone } = court.world;
    const listed = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      for (let before = ''; ;) {
        const page = mustOk(await anyone.get(`/api/v1/tasks?limit=20${query}${before}`));
        found.push(...(page['tasks'] as Body[]).map(({ id }) => String(id)));
        if (page['nextBefore'] === undefined) return found;
        before = `&before=${String(page['nextBefore'])}`;
      }
    };
    for (const { says, walk } of ROWS) {
      if (PASSING.includes(says.split(' ')[0] ?? '')) await walk(await withWorker(court));
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
