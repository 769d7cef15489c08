import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';
import { patiently } from '../../harness/patience.ts';
import { mustCarryHeaders } from '../../harness/wire.ts';
import type { Fixture } from '../../harness/fixture.ts';

/** The door spoken to with nothing between: a POST, and what came back. */
export const MCP = '/mcp';

export type Json = Readonly<Record<string, unknown>>;

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The messages of the answer: one when it is JSON, any number when it is a stream. */
  readonly messages: readonly Json[];
  /** The last message, which is the response. */
  readonly last: Json;
}

export interface Sending {
  readonly method?: string;
  /** Absent names take the client's usual value; an empty one leaves the header out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Who signs the request. */
  readonly by?: Agent;
  /** The door that is spoken to; this one's own when absent. */
  readonly path?: string;
}

const USUAL = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Sends a body: text as it is, anything else as JSON. */
export async function send(
  world: Fixture,
  body: unknown,
  sending: Sending = {},
): Promise<RpcAnswer> {
  const { method = 'POST', by, path = MCP } = sending;
  const headers = new Headers({ ...USUAL, ...sending.headers });
  for (const [name, value] of [...headers]) if (value === '') headers.delete(name);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // Bytes carry no type of their own, so a left-out Content-Type stays out.
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const signed = by && (await by.signed(method, path, body)).headers;
  for (const [name, value] of signed ?? []) if (!headers.has(name)) headers.set(name, value);
  const url = new URL(path, world.hub.url);
  const answer = await readRpc(
    await patiently(() => fetch(url, { method, headers, ...(hasBody && { body: bytes }) })),
  );
  mustCarryHeaders({ ...answer, text: answer.text.slice(0, 400) });
  return answer;
}

export async function readRpc(response: Response): Promise<RpcAnswer> {
  const text = await response.text();
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const bodies = isStream
    ? text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
    : [text].filter((each) => each !== '');
  const messages = bodies.map((each) => JSON.parse(each) as Json);
  const { status, headers } = response;
  return { status, headers, text, messages, last: messages.at(-1) ?? {} };
}

export function request(id: string | number, method: string, params?: unknown): Json {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

export function toolCall(id: string | number, name: string, args: unknown, _meta?: unknown): Json {
  return request(id, 'tools/call', {
    name,
    arguments: args,
    ...(_meta !== undefined && { _meta }),
  });
}

/** The structured content of a call that was answered, which must not be a refusal. */
export function mustResult(answer: RpcAnswer): Json {
  assert.equal(answer.status, 200, answer.text);
  const result = answer.last['result'] as Json | undefined;
  assert.ok(result !== undefined && result['isError'] !== true, answer.text);
  return mustBeTwice(result);
}

/** The refusal in a tool's result: whole, structured, and once more as text. */
export function mustRefuseResult(answer: RpcAnswer, code: string): Json {
  assert.equal(answer.status, 200, answer.text);
  const result = answer.last['result'] as Json | undefined;
  assert.equal(result?.['isError'], true, answer.text);
  const refusal = mustBeTwice(result ?? {});
  assert.equal(refusal['code'], code, answer.text);
  assert.ok(String(refusal['error']).length > 0);
  assert.match(String(refusal['hint']), new RegExp(`/errors/${code}$`));
  assert.equal(refusal['requestId'], answer.headers.get('x-request-id'));
  return refusal;
}

function mustBeTwice(result: Json): Json {
  const structured = result['structuredContent'] as Json;
  const [content] = result['content'] as readonly Json[];
  assert.equal(content?.['type'], 'text');
  assert.deepEqual(JSON.parse(String(content['text'])), structured);
  return structured;
}

/** A protocol error under its HTTP status; returns its data. */
export function mustFault(
  answer: RpcAnswer,
  status: number,
  code: number,
  id: string | number | null,
): Json {
  const { jsonrpc, id: reported, error } = answer.last as { readonly [name: string]: unknown };
  assert.deepEqual([answer.status, jsonrpc, reported], [status, '2.0', id], answer.text);
  const { code: found, message, data } = error as Json;
  assert.equal(found, code, answer.text);
  assert.ok(typeof message === 'string' && message.length > 0);
  return (data ?? {}) as Json;
}

/** An answer without what a door adds beside each call: the skill or tool and its arguments. */
export function asOverHttp(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (!('skill' in value) && !('tool' in value)) return value;
    const { skill: _skill, tool: _tool, arguments: _arguments, ...call } = value as Json;
    return 'method' in call && 'path' in call ? call : value;
  });
}
