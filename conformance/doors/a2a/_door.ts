import assert from 'node:assert/strict';
import type { Fixture } from '../../harness/fixture.ts';
import { request, send, type Json, type RpcAnswer, type Sending } from '../mcp/_door.ts';

/** The A2A door spoken to with nothing between, in either spelling of the protocol. */
export const A2A = '/a2a';

export type Version = '1.0' | '0.3';
export const VERSIONS: readonly Version[] = ['1.0', '0.3'];

export function post(world: Fixture, body: unknown, sending: Sending = {}): Promise<RpcAnswer> {
  return send(world, body, { ...sending, path: A2A });
}

export interface Spelling {
  readonly header: Readonly<Record<string, string>>;
  readonly send: string;
  readonly stream: string;
  readonly get: string;
  readonly cancel: string;
  readonly subscribe: string;
  readonly role: string;
  readonly atOnce: Json;
  part(content: Json): Json;
  state(name: string): string;
}

/** The wire format of each version. A client of 0.3 sends no version at all. */
export const SPELLINGS: Readonly<Record<Version, Spelling>> = {
  '1.0': {
    header: { 'a2a-version': '1.0' },
    send: 'SendMessage',
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    cancel: 'CancelTask',
    subscribe: 'SubscribeToTask',
    role: 'ROLE_USER',
    atOnce: { returnImmediately: true },
    part: (content) => content,
    state: (name) => `TASK_STATE_${name.toUpperCase()}`,
  },
  '0.3': {
    header: {},
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    subscribe: 'tasks/resubscribe',
    role: 'user',
    atOnce: { blocking: false },
    part: (content) => ({ kind: 'data' in content ? 'data' : 'text', ...content }),
    state: (name) => name,
  },
};

/** Each message is a call of its own. */
let messages = 0;

/** The params of a message with these parts, as a client of the version writes them. */
export function messageOf(version: Version, parts: readonly Json[], over: Json = {}): Json {
  const { role, part } = SPELLINGS[version];
  const kind = version === '0.3' && { kind: 'message' };
  return { ...kind, messageId: `m-${(messages += 1)}`, role, parts: parts.map(part), ...over };
}

/** A call of a skill by a data part. */
export function skillCall(version: Version, skill: string, given: Json, params: Json = {}): Json {
  const message = messageOf(version, [{ data: { skill, arguments: given } }]);
  return request(1, SPELLINGS[version].send, { message, ...params });
}

export function callSkill(
  world: Fixture,
  version: Version,
  skill: string,
  given: Json,
  sending: Sending = {},
): Promise<RpcAnswer> {
  const { header } = SPELLINGS[version];
  return post(world, skillCall(version, skill, given), { headers: header, ...sending });
}

/** The result of a response, which must be no error; its only member where 1.0 wraps it. */
export function resultOf(answer: RpcAnswer): Json {
  return unwrapped(answer.last, answer.text);
}

export function unwrapped(message: Json, text = JSON.stringify(message)): Json {
  const result = message['result'] as Json | undefined;
  assert.ok(result !== undefined, text);
  return (result['message'] ??
    result['task'] ??
    result['statusUpdate'] ??
    result['artifactUpdate'] ??
    result) as Json;
}

/** The data of the one part of a message or artifact. */
export function dataOf(holder: unknown): Json {
  const { parts } = holder as { readonly parts: readonly Json[] };
  assert.equal(parts.length, 1);
  return parts[0]?.['data'] as Json;
}

/** The answer of a read: a message with one data part. */
export function mustMessage(answer: RpcAnswer): Json {
  assert.equal(answer.status, 200, answer.text);
  const message = resultOf(answer);
  assert.match(String(message['role']), /^(ROLE_AGENT|agent)$/, answer.text);
  return dataOf(message);
}

/** The task of a call, in a state; by its name in 0.3. */
export function mustTask(answer: RpcAnswer, version: Version, state: string): Json {
  assert.equal(answer.status, 200, answer.text);
  const task = resultOf(answer);
  const { state: found } = task['status'] as Json;
  assert.equal(found, SPELLINGS[version].state(state), answer.text);
  return task;
}

export function mustComplete(answer: RpcAnswer, version: Version): Json {
  const { artifacts } = mustTask(answer, version, 'completed');
  return dataOf((artifacts as readonly Json[])[0]);
}

/** A refusal is whole: in the status message of a rejected task. */
export function mustReject(answer: RpcAnswer, version: Version, code: string): Json {
  const { status } = mustTask(answer, version, 'rejected');
  const refusal = dataOf((status as Json)['message']);
  assert.equal(refusal['code'], code, answer.text);
  assert.ok(String(refusal['error']).length > 0);
  assert.match(String(refusal['hint']), new RegExp(`/errors/${code}$`));
  assert.equal(refusal['requestId'], answer.headers.get('x-request-id'));
  return refusal;
}

/** An error of the protocol; its data in the one form that both versions are read into. */
export function mustError(answer: RpcAnswer, version: Version, code: number): Json {
  assert.equal(answer.status, 200, answer.text);
  const error = answer.last['error'] as Json | undefined;
  assert.equal(error?.['code'], code, answer.text);
  assert.ok(String(error?.['message']).length > 0);
  return detailOf(error?.['data'], version);
}

/** 401: an envelope with the refusal whole. */
export function mustBeUnauthorized(answer: RpcAnswer, version: Version, code: string): Json {
  assert.equal(answer.status, 401, answer.text);
  const { code: rpc, data } = answer.last['error'] as Json;
  assert.equal(rpc, -32_060);
  const refusal = version === '0.3' ? data : (data as readonly Json[])[1]?.['value'];
  const { code: found, requestId } = refusal as Json;
  assert.deepEqual([found, requestId], [code, answer.headers.get('x-request-id')], answer.text);
  return refusal as Json;
}

function detailOf(data: unknown, version: Version): Json {
  if (version === '0.3') return data as Json;
  const [info, violation] = data as readonly Json[];
  assert.equal(info?.['@type'], 'type.googleapis.com/google.rpc.ErrorInfo');
  const { skills, ...metadata } = info['metadata'] as Json;
  const violations = (violation?.['fieldViolations'] ?? []) as readonly Json[];
  return {
    reason: info['reason'],
    ...metadata,
    ...(skills !== undefined && { skills: String(skills).split(', ') }),
    ...(violations[0] && { field: violations[0]['field'] }),
  };
}
