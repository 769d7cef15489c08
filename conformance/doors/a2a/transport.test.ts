import assert from 'node:assert/strict';
import { overWire } from '../../harness/wire.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { request, send as sendTo, type Json, type RpcAnswer } from '../mcp/_door.ts';
import { A2A, callSkill, messageOf, mustError, mustMessage, post, SPELLINGS } from './_door.ts';

/**
 * Requests that HTTP and JSON-RPC carry to the door: every refusal is one, none is a 5xx, nothing
 * hangs.
 */
const OVERSIZE = 4_194_305;
const SEND_1_0 = request(1, 'SendMessage', { message: messageOf('1.0', [{ text: 'list-tasks' }]) });
const SEND_0_3 = request(1, 'message/send', {
  message: messageOf('0.3', [{ text: 'list-tasks' }]),
});

describe('the A2A door', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const mustFail = (answer: RpcAnswer, status: number, code: number): Json => {
    const { error, id } = answer.last as { readonly error: Json; readonly id: unknown };
    assert.deepEqual([answer.status, error['code'], id], [status, code, null], answer.text);
    return error;
  };

  it('refuses what is not one JSON-RPC request', async () => {
    const { id: _, ...notification } = SEND_1_0;
    const cases: readonly (readonly [unknown, number])[] = [
      ['', -32_700],
      ['{', -32_700],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"GetTask"}', -32_700],
      [`${'['.repeat(50_000)}`, -32_700],
      [[SEND_1_0], -32_600],
      [[], -32_600],
      ['null', -32_600],
      ['"SendMessage"', -32_600],
      [{ id: null, jsonrpc: '2.0', method: 'GetTask' }, -32_600],
      [notification, -32_600],
      [{ jsonrpc: '2.0', id: 1, result: {} }, -32_600],
    ];
    for (const [body, code] of cases) {
      mustFail(await post(world, body), 200, code);
    }
    for (const [over, code] of [
      [{ jsonrpc: '1.0' }, -32_600],
      [{ method: 7 }, -32_600],
      [{ params: [] }, -32_602],
    ] as const) {
      const answer = await post(world, { ...SEND_1_0, ...over });
      const { code: found } = answer.last['error'] as Json;
      assert.deepEqual([answer.status, answer.last['id'], found], [200, 1, code]);
    }
  });

  it('refuses another media type, and a body that is too long, under HTTP’s own status', async () => {
    for (const type of ['text/plain', 'application/jsonx', 'application/a2a+json', '']) {
      const answer = await post(world, SEND_1_0, { headers: { 'content-type': type } });
      mustFail(answer, 415, -32_005);
    }
    const typed = { 'content-type': 'application/json; charset=utf-8' };
    mustMessage(await post(world, SEND_1_0, { headers: typed }));
    const error = mustFail(await post(world, ' '.repeat(OVERSIZE)), 400, -32_600);
    assert.equal((error['data'] as Json)['code'], 'body-too-large');
  });

  it('takes POST alone, and lets a browser sign', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(`${world.hub.url}${A2A}`, { method });
      const { code } = (await answer.json()) as Json;
      const allow = answer.headers.get('allow');
      assert.deepEqual([answer.status, code, allow], [405, 'method-not-allowed', 'OPTIONS, POST']);
    }
    const preflight = await fetch(`${world.hub.url}${A2A}`, { method: 'OPTIONS' });
    assert.equal(preflight.status, 204);
    const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
    for (const name of ['a2a-version', 'signature-input', 'content-digest']) {
      assert.ok(allowed.includes(name), name);
    }
    const { length } = JSON.stringify(SEND_1_0);
    const head = [
      ['Host', new URL(world.hub.url).host],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(length)],
      ['Connection', 'close'],
    ] as const;
    const whole = { method: 'POST', target: A2A, headers: head, body: JSON.stringify(SEND_1_0) };
    assert.equal((await overWire(world.hub.url, whole)).status, 200);
  });

  it('answers in the spelling of the method, with or without a version', async () => {
    for (const version of ['', '0.3', '0.3.0', '1', '1.0', '1.0.1', ' 1.0 ']) {
      const headers = { 'a2a-version': version };
      const new10 = (await post(world, SEND_1_0, { headers })).last['result'] as Json;
      assert.deepEqual(Object.keys(new10), ['message']);
      const old03 = (await post(world, SEND_0_3, { headers })).last['result'] as Json;
      assert.equal(old03['kind'], 'message');
    }
  });

  it('refuses a version that it does not speak, in header or query', async () => {
    for (const version of ['0.2', '0.2.6', '1.1', '2.0', 'x', '1.0, 0.3', '1.', '-1.0']) {
      const headers = { 'a2a-version': version };
      const { hint } = mustError(await post(world, SEND_1_0, { headers }), '1.0', -32_009);
      assert.equal(hint, 'Send A2A-Version: 1.0 or 0.3.');
      const old = mustError(await post(world, SEND_0_3, { headers }), '0.3', -32_009);
      assert.equal(old['reason'], 'VERSION_NOT_SUPPORTED');
    }
    const asked = (version: string) =>
      sendTo(world, SEND_1_0, { path: `${A2A}?A2A-Version=${version}` });
    mustError(await asked('9.9'), '1.0', -32_009);
    mustMessage(await asked('1.0'));
  });

  it('names the methods that exist in the refusal of any other', async () => {
    for (const method of [
      '',
      'sendMessage',
      'tasks/send',
      'tasks/list',
      'toString',
      'x'.repeat(60_000),
    ]) {
      const old = mustError(await post(world, request(1, method)), '0.3', -32_601);
      assert.match(String(old['hint']), /^Methods of 0\.3: message\/send, /);
      const headers = SPELLINGS['1.0'].header;
      const now = mustError(await post(world, request(1, method), { headers }), '1.0', -32_601);
      assert.match(String(now['hint']), /^Methods of 1\.0: SendMessage, /);
    }
  });

  it('refuses what its card does not offer by the errors for it', async () => {
    const of10 = async (method: string): Promise<RpcAnswer> => post(world, request(1, method, {}));
    for (const verb of ['Create', 'Get', 'Delete']) {
      mustError(await of10(`${verb}TaskPushNotificationConfig`), '1.0', -32_003);
    }
    mustError(await of10('ListTaskPushNotificationConfigs'), '1.0', -32_003);
    mustError(await of10('GetExtendedAgentCard'), '1.0', -32_004);
    for (const verb of ['set', 'get', 'list', 'delete']) {
      mustError(await of10(`tasks/pushNotificationConfig/${verb}`), '0.3', -32_003);
    }
    mustError(await of10('agent/getAuthenticatedExtendedCard'), '0.3', -32_007);
  });

  it('echoes the id as it was sent', async () => {
    for (const id of ['a', '1', 0, -7]) {
      assert.equal((await post(world, { ...SEND_1_0, id })).last['id'], id);
    }
  });
});

describe('the allowance at the A2A door', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
  });
  after(() => world.close());

  const remaining = (answer: RpcAnswer): number =>
    Number(answer.headers.get('x-ratelimit-remaining'));

  it('counts a request once, on its address or its account', async () => {
    const { alice } = world;
    const unsigned = () => callSkill(world, '1.0', 'list-tasks', {});
    const left = remaining(await unsigned());
    assert.equal(remaining(await unsigned()), left - 1);
    const signed = () => callSkill(world, '1.0', 'wallet', { owner: alice.account }, { by: alice });
    const first = await signed();
    assert.match(first.headers.get('x-ratelimit-policy') ?? '', /^"signed"/);
    assert.equal(remaining(await signed()), remaining(first) - 1);
  });
});
