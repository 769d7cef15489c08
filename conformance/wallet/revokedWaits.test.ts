import assert from 'node:assert/strict';
import { putLetter } from '../../db/hosted/letters.ts';
import type { KeyId } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import { ACCOUNT_EVENTS_TOPIC, hostedCallsTopic, TASK_LINE_TOPIC } from '../../workflows/topics.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { decide } from '../operator/_operator.ts';
import { publish, read, RULE } from '../tasks/_work.ts';
import { joinedKey, payBy, setPolicy } from './_policies.ts';
import { walletPath } from './_signed.ts';

/** A call waits at one process, and its key loses its rights at the other one. */
hubsOnBothDatabases('a call that waits', (open) => {
  const clock = fakeClock();
  let world: Fixture;
  let other: Fixture;
  let owner: Agent;
  before(async () => {
    world = await open({ clock, env: { HUB_LOG: 'silent' } });
    other = await open({ clock, env: { HUB_LOG: 'silent' } });
    await world.fund(other.alice, '90000000');
  });
  beforeEach(async () => {
    owner = await world.agent();
    await world.fund(owner, '1000000');
  });

  const endings: Readonly<Record<string, (key: Agent) => Promise<unknown>>> = {
    'key-revoked': async (key) =>
      mustOk(await owner.post(`${walletPath(owner)}/keys/${key.keyId}/revoke`)),
    'policy-forbids': async (key) =>
      mustOk(await setPolicy(owner, key, { operations: ['wallet.pay'] })),
    moderated: (key) => decide([world, other], 'ban', key.keyId, 'Fraud.'),
  };
  const expire = async (key: Agent): Promise<void> => {
    const expiresAt = new Date(clock.now() + 1_000).toISOString();
    mustOk(await setPolicy(owner, key, { expiresAt }));
    clock.jump(1_000);
  };
  const all = [...Object.entries(endings), ['key-revoked', expire] as const];
  const statusOf = (code: string): number => (code === 'moderated' ? 400 : 401);
  const waitsFor = (topic: string): Promise<void> =>
    until(() => other.hub.running.hub.notifier.waiting(topic) > 0);

  for (const [code, end] of all) {
    const how = end === expire ? 'its expiry' : code;
    it(`takes no work after ${how}`, async () => {
      const key = await joinedKey(other, owner);
      const tag = `waits-${how.replaceAll(' ', '-')}`;
      const poll = key.post('/api/v1/tasks/claim?wait=20', { tags: [tag] });
      await waitsFor(TASK_LINE_TOPIC);
      await end(key);
      const task = await publish(other.alice, { acceptance: RULE, tags: [tag] });
      mustRefuse(await poll, statusOf(code), code);
      assert.equal((await read(world, task.id))['state'], 'open');
      const worker = await world.agent();
      const body = { agentId: worker.account };
      mustOk(await worker.post(`/api/v1/tasks/${task.id}/claim`, body));
    });

    it(`is given no call of a hosted agent after ${how}`, async () => {
      const key = await joinedKey(other, owner);
      const path = `/api/v1/hosted/${key.keyId}/connection`;
      const poll = key.post(path, { wait: 20 });
      const keyId = key.keyId as KeyId;
      const topic = hostedCallsTopic(keyId);
      await waitsFor(topic);
      await end(key);
      const { store } = other.hub.running.hub;
      const request = JSON.stringify({ method: 'POST', headers: {}, body: '{}' });
      const expiresAt = instant(clock.now() + 60_000);
      await store.write(async (tx) => {
        await putLetter(tx, keyId, { id: `letter-${keyId}`, request }, expiresAt);
        tx.publish(topic);
      });
      const answer = await poll;
      mustRefuse(answer, statusOf(code), code);
      assert.doesNotMatch(answer.text, /letter-/);
    });
  }

  it('ends without an answer when its time is over, after the key was revoked', async () => {
    const key = await joinedKey(other, owner);
    const path = `/api/v1/hosted/${key.keyId}/connection`;
    const polls: readonly (() => Promise<Answer>)[] = [
      () => key.post('/api/v1/tasks/claim?wait=1', { tags: ['waits-for-nothing'] }),
      () => key.post(path, { wait: 1 }),
      () => key.get('/api/v1/me/events?after=now&wait=1'),
    ];
    const sent = polls.map((poll) => poll());
    await waitsFor(ACCOUNT_EVENTS_TOPIC);
    await waitsFor(hostedCallsTopic(key.keyId as KeyId));
    await endings['key-revoked']?.(key);
    clock.advance(2);
    await payBy(owner, world.bob, '10');
    for (const poll of sent) mustRefuse(await poll, 401, 'key-revoked');
  });

  for (const end of [endings['key-revoked'], expire]) {
    it(`shows no event after ${end === expire ? 'its expiry' : 'a revocation'}`, async () => {
      const key = await joinedKey(other, owner);
      const poll = key.get('/api/v1/me/events?after=now&wait=20');
      await waitsFor(ACCOUNT_EVENTS_TOPIC);
      await end?.(key);
      mustOk(await payBy(owner, world.bob, '10'));
      const answer = await poll;
      mustRefuse(answer, 401, 'key-revoked');
      assert.doesNotMatch(answer.text, /wallet\.pay|"10"/);
    });
  }
});
