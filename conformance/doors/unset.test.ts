import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at } from '../harness/must.ts';
import { dataOf, messageOf, post, resultOf, SPELLINGS, VERSIONS } from './a2a/_door.ts';
import { mustResult, request, send, toolCall, type Json } from './mcp/_door.ts';

/** Clients and models write members that are unset as null: at the agent doors they are absent. */
const SEARCH = { q: 'anything', kind: null, limit: null };
const UNSET = { taskId: null, contextId: null, metadata: null, extensions: null };
const TASK = {
  title: 'Say one word',
  description: 'Any word.',
  deadline: '2026-12-01T00:00:00Z',
  rewardAmount: null,
  tags: null,
  mode: null,
  idempotencyKey: null,
};

describe('a member that is null at the agent doors', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('is an unset one in MCP messages, whatever level the client writes it at', async () => {
    assert.deepEqual((await send(world, request(1, 'ping', null))).last['result'], {});
    const note = { jsonrpc: '2.0', id: null, method: 'notifications/initialized', params: null };
    assert.equal((await send(world, note)).status, 202);
    const listed = await send(world, request(1, 'tools/list', { cursor: null, _meta: null }));
    assert.ok(Array.isArray(at(listed.last, 'result', 'tools')));
    mustResult(await send(world, toolCall(1, 'hub-stats', null, null)));
    const meta = { progressToken: null, 'x402/payment': null };
    const found = mustResult(await send(world, toolCall(1, 'search-agents', SEARCH, meta)));
    assert.deepEqual(found['agents'], []);
    const by = world.alice;
    const task = mustResult(
      await send(world, toolCall(1, 'publish-task', { requester: by.account, ...TASK }), { by }),
    );
    assert.equal(task['title'], TASK.title);
    // A required argument that is null is a missing one.
    const nameless = { requester: by.account, ...TASK, title: null };
    const missing = await send(world, toolCall(1, 'publish-task', nameless), { by });
    assert.equal(at(missing.last, 'result', 'structuredContent', 'code'), 'missing-field');
  });

  it('stays where null is a value of the argument', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const given = { claimToken: id, result: null };
    const answer = await send(world, toolCall(1, 'submit-solution', { id, ...given }), {
      by: world.alice,
    });
    assert.equal(at(answer.last, 'result', 'structuredContent', 'code'), 'not-found');
  });

  for (const version of VERSIONS) {
    it(`is an unset one in A2A messages of version ${version}`, async () => {
      const { header, send: method, part } = SPELLINGS[version];
      const data = { skill: 'search-agents', arguments: { q: null, limit: null } };
      const blank: Json = version === '1.0' ? { text: null, raw: null, url: null } : {};
      const given = { ...part({ data }), ...blank, metadata: null, filename: null };
      const message = { ...messageOf(version, []), parts: [given], ...UNSET };
      const configuration = {
        acceptedOutputModes: null,
        historyLength: null,
        returnImmediately: null,
        blocking: null,
        pushNotificationConfig: null,
        taskPushNotificationConfig: null,
      };
      for (const each of [null, configuration]) {
        const params = { message, configuration: each, metadata: null, tenant: null };
        const answer = await post(world, request(1, method, params), { headers: header });
        assert.ok(Array.isArray(dataOf(resultOf(answer))['agents']), answer.text);
      }
    });
  }
});
