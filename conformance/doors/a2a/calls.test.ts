import assert from 'node:assert/strict';
import { at, mustOk } from '../../harness/must.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { asOverHttp, readRpc, request, type Json, type RpcAnswer } from '../mcp/_door.ts';
import {
  A2A,
  callSkill,
  messageOf,
  mustBeUnauthorized,
  mustComplete,
  mustMessage,
  mustReject,
  mustTask,
  post,
  resultOf,
  skillCall,
  SPELLINGS,
  VERSIONS,
} from './_door.ts';

/** A skill is its operation: the same checks, the same refusals, the same money. */
const SUBMIT_QUOTA = 60;
const NOBODY = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';

for (const version of VERSIONS) {
  describe(`a skill called over A2A ${version}`, () => {
    let world: Fixture;
    before(async () => {
      world = await openFixture();
      await world.fund(world.alice, '50000000');
    });
    after(() => world.close());

    const task = (over: Json = {}): Json => ({
      requester: world.alice.account,
      title: 'Do it',
      rewardAmount: '1000000',
      acceptance: { kind: 'contains', values: ['done'] },
      ...over,
    });
    const call = (skill: string, given: Json, by = world.alice) =>
      callSkill(world, version, skill, given, { headers: SPELLINGS[version].header, by });

    it('is answered with a message that has the body of the route, when it reads', async () => {
      const message = mustMessage(await callSkill(world, version, 'list-tasks', { limit: 3 }));
      const { body } = await world.anyone.get('/api/v1/tasks?limit=3');
      assert.deepEqual(asOverHttp(message), body);
      const { owner } = mustMessage(await call('wallet', { owner: world.alice.account }));
      assert.equal(owner, world.alice.account);
    });

    it('is answered with a completed task, when it changes something', async () => {
      const { bob } = world;
      const { id } = mustComplete(await call('publish-task', task()), version);
      const answer = await call('start-work', { id, agentId: bob.account }, bob);
      const { claimToken } = mustComplete(answer, version);
      const given = { id, claimToken, result: 'it is done' };
      const { outcome } = mustComplete(await call('submit-solution', given, bob), version);
      assert.equal(outcome, 'accepted');
    });

    it('is one call however often the same message comes, and another one with another', async () => {
      const { alice } = world;
      const { id } = mustComplete(await call('publish-task', task()), version);
      const given = { id, author: alice.account, body: 'Ready?' };
      const sent = (messageId: string, more: Json = {}): Promise<RpcAnswer> => {
        const { send, header } = SPELLINGS[version];
        const data = { skill: 'tasks-comment', arguments: { ...given, ...more } };
        const message = messageOf(version, [{ data }], { messageId });
        return post(world, request(1, send, { message }), { headers: header, by: alice });
      };
      const deliver = async (messageId: string): Promise<Json> =>
        mustComplete(await sent(messageId), version);
      const first = await deliver('ready 1');
      assert.deepEqual(await deliver('ready 1'), first);
      assert.notDeepEqual(await deliver('ready 2'), first);
      assert.notDeepEqual(await deliver('é'.repeat(200)), first);
      const { comments } = mustOk(await world.anyone.get(`/api/v1/tasks/${String(id)}`));
      assert.equal(comments, 3);
      mustReject(await sent('ready 1', { body: 'No.' }), version, 'idempotency-mismatch');
    });

    it('is named by metadata, or in text, as well', async () => {
      const { send, header } = SPELLINGS[version];
      const asked = async (part: Json, metadata?: Json, inner?: Json): Promise<Json> => {
        const message = messageOf(version, [part], inner && { metadata: inner });
        const params = { message, ...(metadata && { metadata }) };
        return mustMessage(await post(world, request(1, send, params), { headers: header }));
      };
      const { body } = await world.anyone.get('/api/v1/tasks?limit=2');
      const named = { skillId: 'list-tasks' };
      for (const reply of [
        await asked({ data: { limit: 2 } }, named),
        await asked({ data: { limit: 2 } }, undefined, named),
        await asked({ text: '{"limit": 2}' }, named),
        await asked({ text: 'list-tasks {"limit": 2}' }),
        await asked({ text: ' list-tasks\n{"limit": 2}\n' }),
        await asked({ text: '{"skill": "list-tasks", "arguments": {"limit": 2}}' }),
      ]) {
        assert.deepEqual(asOverHttp(reply), body);
      }
      const whole = (await world.anyone.get('/api/v1/tasks')).body;
      assert.deepEqual(asOverHttp(await asked({ text: 'list-tasks' })), whole);
      assert.deepEqual(asOverHttp(await asked({ text: '' }, named)), whole);
      assert.deepEqual(asOverHttp(await asked({ data: { skill: 'list-tasks' } })), whole);
    });

    it('answers as text to a client that accepts only text', async () => {
      const params = { configuration: { acceptedOutputModes: ['text/plain'] } };
      const body = skillCall(version, 'list-tasks', { limit: 1 }, params);
      const answer = await post(world, body, { headers: SPELLINGS[version].header });
      const text = at(resultOf(answer), 'parts', 0, 'text');
      assert.deepEqual(
        asOverHttp(JSON.parse(String(text))),
        (await world.anyone.get('/api/v1/tasks?limit=1')).body,
      );
    });

    it('keeps the context of the message, and makes one where there is none', async () => {
      const { send, header } = SPELLINGS[version];
      const contextOf = async (over: Json): Promise<unknown> => {
        const message = messageOf(version, [{ text: 'list-tasks' }], over);
        const answer = await post(world, request(1, send, { message }), { headers: header });
        return resultOf(answer)['contextId'];
      };
      assert.equal(await contextOf({ contextId: 'mine' }), 'mine');
      assert.match(String(await contextOf({})), /^[0-9a-f-]{36}$/);
    });

    it('names the request and the skill that it answers', async () => {
      const answer = await call('publish-task', task());
      const { metadata } = mustTask(answer, version, 'completed');
      const requestId = answer.headers.get('x-request-id');
      assert.deepEqual(metadata, { skill: 'publish-task', requestId });
    });

    it('unsigned where it is signed is HTTP 401, before its arguments are looked at', async () => {
      for (const [skill, given] of [
        ['publish-task', task()],
        ['wallet', { owner: 'not even an account' }],
        ['claim-task', { wait: 30 }],
      ] as const) {
        const answer = await callSkill(world, version, skill, given);
        const refusal = mustBeUnauthorized(answer, version, 'unsigned');
        assert.match(String(refusal['hint']), /\/errors\/unsigned$/);
        assert.equal(answer.headers.get('www-authenticate'), 'Signature');
        assert.match(answer.headers.get('accept-signature') ?? '', /^sig1=\("@method"/);
      }
    });

    it('is HTTP 401 when its signature is of other bytes', async () => {
      const { headers } = await world.alice.signed('POST', A2A, skillCall(version, 'wallet', {}));
      const body = JSON.stringify(skillCall(version, 'publish-task', task()));
      const url = `${world.hub.url}${A2A}`;
      const moved = await readRpc(await fetch(url, { method: 'POST', headers, body }));
      mustBeUnauthorized(moved, version, 'digest-mismatch');
    });

    it('is run once for one signature; a refused one left its nonce spendable', async () => {
      const twice = async (given: Json) => {
        const body = skillCall(version, 'publish-task', given);
        const { headers } = await world.alice.signed('POST', A2A, body);
        const once = async () => {
          const init = { method: 'POST', headers, body: JSON.stringify(body) };
          return readRpc(await fetch(`${world.hub.url}${A2A}`, init));
        };
        return [await once(), await once()] as const;
      };
      const [first, second] = await twice(task());
      mustComplete(first, version);
      mustBeUnauthorized(second, version, 'replayed');
      for (const each of await twice({ title: 'x' })) mustReject(each, version, 'missing-field');
    });

    it('is HTTP 401 wrong-owner when it acts for another’s account', async () => {
      const answer = await call('wallet', { owner: world.bob.account });
      const refusal = mustBeUnauthorized(answer, version, 'wrong-owner');
      assert.equal(refusal['field'], 'path.owner');
    });

    it('is done once for one idempotencyKey, whichever the door', async () => {
      const given = task({ idempotencyKey: `once-${version}` });
      const first = mustComplete(await call('publish-task', given), version);
      const again = mustComplete(await call('publish-task', given), version);
      const http = mustOk(await world.alice.post('/api/v1/tasks', given));
      assert.deepEqual([again['id'], http['id']], [first['id'], first['id']]);
      assert.deepEqual([again['repeated'], http['repeated']], [true, true]);
    });

    it('is a rejected task with error, code and hint whole when it is refused', async () => {
      const cases: readonly (readonly [string, Json, string, string | undefined])[] = [
        ['start-work', { id: NOBODY, agentId: world.alice.account }, 'not-found', undefined],
        ['start-work', { id: 'x', agentId: world.alice.account }, 'bad-path', 'path.id'],
        ['list-tasks', { state: 'sideways' }, 'unknown-filter', 'query.state'],
        ['list-tasks', { nosuch: 1 }, 'bad-request', 'query.nosuch'],
        ['publish-task', task({ title: 7 }), 'bad-request', 'body.title'],
        ['publish-task', { title: 'x' }, 'missing-field', 'body.requester'],
        ['publish-task', task({ rewardAmount: '1.5' }), 'bad-amount', 'body.rewardAmount'],
        [
          'publish-task',
          task({ rewardAmount: '900000000000' }),
          'insufficient-funds',
          'body.rewardAmount',
        ],
      ];
      for (const [skill, given, code, field] of cases) {
        const refusal = mustReject(await call(skill, given), version, code);
        assert.equal(refusal['field'], field, `${skill} ${JSON.stringify(given)}`);
      }
    });

    it('is refused in the words of the route', async () => {
      const { body: http } = await world.anyone.get('/api/v1/tasks?state=sideways');
      const answer = await callSkill(world, version, 'list-tasks', { state: 'sideways' });
      const a2a = mustReject(answer, version, 'unknown-filter');
      assert.deepEqual({ ...a2a, requestId: '' }, { ...http, requestId: '' });
    });
  });
}

describe('a skill over its allowance', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
  });
  after(() => world.close());

  it('is a rejected task that says when to come again', async () => {
    const submit = () => callSkill(world, '1.0', 'register-agent', { url: 'not a url' });
    for (let sent = 0; sent < SUBMIT_QUOTA; sent += 1) {
      assert.match((await submit()).headers.get('x-ratelimit-policy') ?? '', /^"submit";q=60/);
    }
    const answer = await submit();
    assert.equal(mustReject(answer, '1.0', 'rate-limited')['retryAfterSeconds'], 1);
    assert.equal(answer.headers.get('retry-after'), '1');
    mustMessage(await callSkill(world, '1.0', 'list-tasks', {}));
  });
});
