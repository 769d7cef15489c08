import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import type { Agent, Answer } from '../harness/agents.ts';

/** Unpaid storage is counted in bytes (choices pipeline.storage). */
const ON = { env: { HUB_RATE_LIMITS: 'true' } };
const KB = 1_024;

describe('storage for nothing', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture(ON);
  });
  afterEach(() => world.close());

  /** Sends until the budget refuses; answers the KB that passed and the refusal. */
  async function fill(
    send: () => Promise<Answer>,
    kb: number,
    most = 40_000,
  ): Promise<readonly [number, Answer | undefined]> {
    let passed = 0;
    for (; passed < most; passed += kb) {
      const answer = await send();
      if (answer.status === 429) return [passed, answer];
      mustOk(answer);
      // One unit a second, so that no other limit is met.
      world.hub.clock.advance(1);
    }
    return [passed, undefined];
  }
  const publish = (agent: Agent, over: object = {}): Promise<Answer> =>
    agent.post('/api/v1/tasks', {
      title: 'For nothing',
      mode: 'open',
      verification: 'requester',
      requester: agent.account,
      input: { text: 'x'.repeat(60 * KB) },
      ...over,
    });
  let sent = 0;
  const rewarded = (agent: Agent): Promise<Answer> => {
    return publish(agent, { rewardAmount: '1000', idempotencyKey: `storage-${(sent += 1)}` });
  };

  it('has a budget of 8 MB a day for an account, whatever it stores', async () => {
    const [passed, refused] = await fill(() => publish(world.alice), 60);
    assert.ok(passed > 7_500 && passed < 8_700, `${passed} KB`);
    assert.match(String(refused?.body['error']), /"storage";q=8192;w=86400;pk=account/);
    assert.ok(Number(refused?.headers.get('retry-after')) > 0);
    const task = mustOk(await publish(world.bob));
    const path = `/api/v1/tasks/${String(task['id'])}`;
    const body = { author: world.alice.account, body: 'x'.repeat(1_000) };
    mustRefuse(await world.alice.post(`${path}/comments`, body), 429, 'rate-limited');
    const solution = { agentId: world.alice.account, result: 'x'.repeat(1_000) };
    mustRefuse(await world.alice.post(`${path}/solution`, solution), 429, 'rate-limited');
    world.hub.clock.advance(12 * 3_600);
    mustOk(await world.alice.post(`${path}/comments`, body));
  });

  it('counts an address for all its keys together', async () => {
    let total = 0;
    for (let nth = 0; nth < 6; nth += 1) {
      const agent = await world.agent();
      const [passed, refused] = await fill(() => publish(agent), 60);
      total += passed;
      if (/"storagehere"/.test(String(refused?.body['error']))) break;
    }
    assert.ok(total > 30_000 && total < 36_000, `${total} KB`);
  });

  it('counts results of unpaid work as well', async () => {
    const [passed, refused] = await fill(async () => {
      const task = mustOk(await publish(world.bob, { input: {} }));
      const body = { agentId: world.alice.account, result: 'x'.repeat(250 * KB) };
      return world.alice.post(`/api/v1/tasks/${String(task['id'])}/solution`, body);
    }, 250);
    assert.ok(passed > 7_500 && passed < 8_700, `${passed} KB`);
    assert.match(String(refused?.body['error']), /"storage";/);
  });

  it('leaves sixteen times the room for what has a reward', async () => {
    await world.fund(world.alice, '1000000');
    const [passed, refused] = await fill(() => rewarded(world.alice), 60, 9_600);
    assert.deepEqual([passed, refused], [9_600, undefined]);
  });
});
