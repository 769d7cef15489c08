import { defined } from '../../../../domain/defined.ts';
import { type JsonObject, isObject } from '../../../../domain/jsonObject.ts';
import { readA2aQuote } from '../../../../domain/registry/readQuote.ts';
import { postRpc, type RpcEnd, type RpcDependencies } from '../rpc.ts';
import {
  callFailed,
  paymentHeaders,
  rawResponseOf,
  quoteResponse,
  responseBefore,
} from '../response.ts';
import type { AgentResponse, AgentCallOptions } from '../response.ts';

/** An A2A endpoint; `protocolVersion` decides its JSON-RPC spelling (choices registry.formats). */
export interface A2aDoor {
  readonly endpoint: string;
  readonly protocolVersion?: string;
  readonly tenant?: string;
}

export interface A2aMessage {
  readonly messageId: string;
  readonly text?: string;
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

/** The methods whose names differ, 1.0 first. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['SendMessage', 'message/send'],
  ['GetTask', 'tasks/get'],
  ['ListTasks', 'tasks/list'],
  ['CancelTask', 'tasks/cancel'],
  ['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard'],
];
const ENDED_BADLY = /^(TASK_STATE_)?(failed|rejected|canceled)$/i;

export function sendMessageTo(
  dependencies: RpcDependencies,
  door: A2aDoor,
  { messageId, text, data, metadata }: A2aMessage,
  options: AgentCallOptions,
): Promise<AgentResponse> {
  const isFirst = isVersion1(door);
  const parts = [
    ...(text === undefined ? [] : [isFirst ? { text } : { kind: 'text', text }]),
    ...(data === undefined ? [] : [isFirst ? { data } : { kind: 'data', data }]),
  ];
  const message = {
    ...(!isFirst && { kind: 'message' }),
    messageId,
    role: isFirst ? 'ROLE_USER' : 'user',
    parts,
    ...defined({ metadata }),
  };
  const configuration = isFirst ? { returnImmediately: false } : { blocking: true };
  return callMethodOf(dependencies, door, 'SendMessage', { message, configuration }, options);
}

/** Calls a method by either of its names; params go out as they are, with the door's tenant. */
export async function callMethodOf(
  dependencies: RpcDependencies,
  door: A2aDoor,
  method: string,
  params: JsonObject,
  options: AgentCallOptions,
): Promise<AgentResponse> {
  const { limits, sign, signal, onExchange } = options;
  const kept = await options.before?.(door.endpoint);
  if (kept !== undefined) return callFailed(kept);
  const spelled = spelling(door, method);
  const given = door.tenant === undefined ? params : { tenant: door.tenant, ...params };
  const end = await postRpc(
    dependencies,
    { id: 'call', method: spelled, params: given },
    {
      url: door.endpoint,
      headers: {
        ...options.headers,
        ...paymentHeaders(options.payment),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(isVersion1(door) && { 'a2a-version': '1.0' }),
      },
      ...defined({ limits, sign, signal }),
    },
  );
  onExchange?.({ method: spelled, url: door.endpoint, end, shut: responseBefore(end) });
  return taskSpoken(end);
}

function isVersion1({ protocolVersion }: A2aDoor): boolean {
  return protocolVersion?.startsWith('1') ?? false;
}

function spelling(door: A2aDoor, method: string): string {
  const names = SPELLINGS.find((each) => each.includes(method));
  return names?.[isVersion1(door) ? 0 : 1] ?? method;
}

function taskSpoken(end: RpcEnd): AgentResponse {
  const before = responseBefore(end);
  if (before !== undefined || end.kind === 'failed') {
    return before ?? { kind: 'failed', reason: 'malformed', message: 'It answers nothing.' };
  }
  const result = end.reply?.result;
  const task = isObject(result) && isObject(result['task']) ? result['task'] : result;
  const asked = readA2aQuote(task);
  if (asked !== undefined) return quoteResponse(end, asked);
  const status = isObject(task) ? task['status'] : undefined;
  const state = isObject(status) && typeof status['state'] === 'string' ? status['state'] : '';
  const isError = ENDED_BADLY.test(state);
  return { kind: 'result', ...rawResponseOf(end), result: end.reply?.exactResult(), isError };
}
