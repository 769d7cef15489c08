import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScriptedAgents, ROLES, type ScriptedAgents } from '../../clients/sandbox/agents.ts';
import { openAgents, type RunningAgents } from '../../clients/sandbox/run.ts';
import type { Endpoint } from '../../clients/sandbox/endpoint.ts';
import { openEndpoint } from '../../clients/sandbox/validators.ts';
import type { Agent } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { SUITE_MS_MAX } from '../services/_lend.ts';
import { choose } from './_pitching.ts';
import { act, claim, publish, read, RULE, submit, type Body } from './_work.ts';

/** One account alone on a sandbox reaches every state of a task with the scripted agents. */
describe('sandbox agents', function suite() {
  this.timeout(SUITE_MS_MAX);
  let folder: string;
  let cast: ScriptedAgents;
  let world: Fixture;
  let agents: RunningAgents;
  let endpoints: readonly Endpoint[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-cast-'));
    cast = await openScriptedAgents(folder);
    const [judge, arbiter] = [await openEndpoint(), await openEndpoint()];
    endpoints = [judge, arbiter];
    const clock = fakeClock();
    world = await openFixture({
      clock,
      sandboxAgents: cast.accounts,
      env: { HUB_ALLOW_PRIVATE_HOSTS: `${judge.pair},${arbiter.pair}` },
    });
    const place = { baseUrl: world.hub.url, now: () => clock.now() };
    agents = openAgents(cast, { judge, arbiter }, place);
    await world.fund(world.alice, '10000000');
    await look();
    await jobs();
  });
  after(async () => {
    await world.close();
    await Promise.all(endpoints.map((each) => each.close()));
    await rm(folder, { recursive: true, force: true });
  });

  const look = async (): Promise<void> => assert.deepEqual(await agents.look(), []);
  /** Runs the jobs that the hub's own timers would run; the pulse is what a draw is made with. */
  async function jobs(): Promise<void> {
    const { hub } = world;
    hub.clock.advance(60);
    await hub.runJob('pulse');
    const names = ['seatProbes', 'panels', 'panelCalls', 'autoAccept', 'payoutRelease'];
    // A decision of one job may be work for another.
    for (const name of [...names, ...names, ...names]) await hub.runJob(name);
  }

  async function offered(kind: string): Promise<Body & { id: string }> {
    const query = `?tag=sandbox:${kind}&state=open`;
    const found = mustOk(await world.anyone.get(`/api/v1/tasks${query}`))['tasks'] as Body[];
    assert.equal(found.length, 1, `one open task of the kind ${kind}`);
    return { ...found[0], id: String(found[0]?.['id']) };
  }
  const stateOf = async (id: string): Promise<unknown> => (await read(world, id))['state'];
  const newcomer = (): Promise<Agent> => world.agent();
  const tried = (title: string, over: Body = {}): Promise<Body & { id: string }> =>
    publish(world.alice, { title, tags: ['try'], rewardAmount: '10000', ...over });

  it('keep their keys to themselves, in files of their own', async () => {
    const names = await readdir(join(folder, 'sandbox'));
    assert.deepEqual(names.sort(), ROLES.map((role) => `${role}.key`).sort());
    for (const name of names) {
      assert.equal((await stat(join(folder, 'sandbox', name))).mode & 0o777, 0o600);
    }
    assert.deepEqual((await openScriptedAgents(folder)).accounts, cast.accounts);
  });

  it('offer one task of each kind on the sandbox, marked as theirs', async () => {
    for (const kind of ['automatic', 'requester', 'judged', 'open', 'pitch']) {
      const task = await offered(kind);
      assert.equal(task['sandboxAgent'], true);
      assert.equal(at(task, 'reward', 'network'), 'sandbox');
    }
    const mine = await publish(world.alice);
    assert.equal((await read(world, mine.id))['sandboxAgent'], undefined);
    mustOk(await act(world.alice, mine.id, 'cancel', { requester: world.alice.account }));
  });

  it('accept, reject, stay silent and dispute, as the result asks for', async () => {
    const bob = await newcomer();
    const first = await offered('requester');
    mustOk(await submit(bob, first.id, 'Please reject this line.'));
    await look();
    assert.equal(await stateOf(first.id), 'open');
    const silent = await newcomer();
    mustOk(await submit(silent, first.id, 'Waves. Please dispute.'));
    await look();
    assert.equal(await stateOf(first.id), 'delivered');
    await jobs();
    assert.equal(await stateOf(first.id), 'accepted', 'silence accepts after a minute');
    await look();
    assert.equal(await stateOf(first.id), 'disputed');
    const next = await offered('requester');
    mustOk(await submit(bob, next.id, 'The sea is wide.'));
    await look();
    assert.equal(await stateOf(next.id), 'paid');
  });

  it('rule on a dispute by its reason, as an arbiter that was drawn', async () => {
    for (const [reason, ends] of [
      ['This is to be upheld.', 'refunded'],
      ['Make it a split.', 'paid'],
      ['I am wrong.', 'paid'],
    ] as const) {
      const bob = await newcomer();
      const task = await publish(world.alice, { acceptance: RULE, rewardAmount: '10000' });
      mustOk(await submit(bob, task.id, 'done'));
      const body = { raisedBy: world.alice.account, reason };
      mustOk(await act(world.alice, task.id, 'dispute', body));
      await look();
      assert.equal(await stateOf(task.id), ends, reason);
    }
  });

  it('judge by the title', async () => {
    const judged = { verification: 'validator', disputeWindowSeconds: 0, rewardAmount: '10000' };
    const bob = await newcomer();
    const good = await publish(world.alice, { ...judged, title: 'A line' });
    const bad = await publish(world.alice, { ...judged, title: 'A line [reject]' });
    for (const { id } of [good, bad]) mustOk(await submit(bob, id, 'x'));
    await jobs();
    assert.deepEqual([await stateOf(good.id), await stateOf(bad.id)], ['paid', 'open']);
    const seats = mustOk(await world.anyone.get('/api/v1/validators'))['validators'] as Body[];
    assert.deepEqual(
      seats.map(({ sandboxAgent, network }) => [sandboxAgent, network]),
      [
        [true, 'sandbox'],
        [true, 'sandbox'],
      ],
    );
  });

  it('work on a task that asks for it by its tag, as its title says, and on no other', async () => {
    const [plain, wrong, failed, held, other] = [
      await tried('Do it', { acceptance: RULE, disputeWindowSeconds: 0 }),
      await tried('Do it [wrong]', { acceptance: RULE }),
      await tried('Do it [fail]'),
      await tried('Do it [hold]'),
      await publish(world.alice, { title: 'Do it' }),
    ];
    await look();
    const states: unknown[] = [];
    for (const { id } of [plain, wrong, failed, held, other]) states.push(await stateOf(id));
    assert.deepEqual(states, ['paid', 'open', 'open', 'held', 'open']);
    const workers = (await read(world, wrong.id))['workers'] as Body[];
    assert.deepEqual(
      workers.map(({ state, sandboxAgent }) => [state, sandboxAgent]),
      [['refused', true]],
    );
    await look();
    assert.equal(((await read(world, failed.id))['workers'] as Body[]).length, 1, 'once each');
  });

  it('pitch, claim when chosen, and dispute what was accepted', async () => {
    const task = await tried('Plan it', { tags: ['try', 'pitch'] });
    await look();
    const path = `/api/v1/tasks/${task.id}/pitches`;
    const pitches = mustOk(await world.anyone.get(path))['pitches'] as Body[];
    assert.deepEqual([at(pitches, 0, 'sandboxAgent'), pitches.length], [true, 1]);
    mustOk(await choose(world.alice, task.id, String(at(pitches, 0, 'id'))));
    await look();
    assert.equal(await stateOf(task.id), 'delivered');
    const argued = await tried('Do it [dispute]', { acceptance: RULE });
    await look();
    await look();
    assert.equal(await stateOf(argued.id), 'disputed');
  });

  it('choose a plan, and take what is offered openly', async () => {
    const bob = await newcomer();
    const pitched = await offered('pitch');
    mustOk(await act(bob, pitched.id, 'pitch', { agentId: bob.account, plan: 'By the lake.' }));
    const named = await offered('open');
    mustOk(await act(bob, named.id, 'solution', { agentId: bob.account, result: 'Tern' }));
    await look();
    await claim(bob, pitched.id);
    assert.equal(await stateOf(named.id), 'paid');
  });
});
