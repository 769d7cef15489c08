import { readHosted } from '../../../db/hosted/agents.ts';
import type { KeyId } from '../../../domain/account.ts';
import type { HostedAgent } from '../../../domain/hosted/agent.ts';
import { isObject } from '../../../domain/jsonObject.ts';
import { HubError } from '../../../workflows/kernel/errors.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { Answer, Exchange } from '../../middleware/exchange.ts';
import { errorAnswer, itemAnswer, refusedAnswer } from '../a2a/answers.ts';
import { messageKey } from '../a2a/messageKey.ts';
import { A2aError, errorFault, refuseParams, UNSUPPORTED_OPERATION } from '../a2a/errors.ts';
import { readSentAs, type Sent } from '../a2a/params.ts';
import { requestedVersion } from '../a2a/requestedVersion.ts';
import { shapes, type Task, type Thread } from '../a2a/shapes.ts';
import { GRAMMAR, readAsk, type Ask } from '../a2a/skillCall.ts';
import type { Version } from '../a2a/version.ts';
import {
  fault,
  readMessage,
  RPC_METHOD,
  RPC_REQUEST,
  type RpcId,
  type RpcMessage,
} from '../jsonRpc.ts';
import type { Operations } from '../operations.ts';
import {
  doorSpec,
  faultAnswer,
  isJsonType,
  mustBePost,
  preflight,
  readDoorBody,
  type Door,
} from '../transport.ts';
import { callHosted } from './call.ts';
import { head } from '../../../domain/text.ts';

/**
 * The A2A agent of a hosted listing: a message names one skill, which is one tool, and is answered
 * with a message at once. A refusal or failure is a finished task, since clients act on its state.
 */
const SEND: Readonly<Record<string, Version>> = { SendMessage: '1.0', 'message/send': '0.3' };
const PROTOCOL_HEADERS = ['a2a-version', 'a2a-extensions', 'x-a2a-extensions'];

type Request = Extract<RpcMessage, { readonly kind: 'request' }>;

export function createHostedA2a(
  hub: Hub,
  operations: Operations,
  keyId: KeyId,
  path: string,
): Door {
  const spec = doorSpec('hosted-a2a', path, 'The A2A agent of a hosted listing');

  const answer = async (exchange: Exchange, request: Request): Promise<Answer> => {
    const { id, method, params } = request;
    const version = Object.hasOwn(SEND, method) ? SEND[method] : undefined;
    try {
      const wanted = requestedVersion(exchange);
      if (version === undefined)
        return errorAnswer({ id, version: wanted, streams: false }, unknownMethod(method));
      const sent = readSentAs(params, version, readAsk);
      const agent = await hub.store.readOne((db) => readHosted(db, keyId));
      if (agent === undefined || sent.taskId !== undefined) return noTask(id, version);
      return await run(hub, operations, exchange, { id, version, agent, sent });
    } catch (thrown) {
      if (!(thrown instanceof A2aError)) throw thrown;
      return errorAnswer({ id, version: version ?? '1.0', streams: false }, thrown);
    }
  };

  return async (exchange) => {
    if (exchange.method === 'OPTIONS') return preflight(exchange, PROTOCOL_HEADERS);
    mustBePost(exchange, spec);
    if (!isJsonType(exchange)) {
      return faultAnswer(415, fault(null, RPC_REQUEST, 'Content-Type must be application/json'));
    }
    try {
      await readDoorBody(exchange, spec);
    } catch (thrown) {
      if (!(thrown instanceof HubError)) throw thrown;
      return refusedAnswer(null, '1.0', operations.refusalOf(exchange, thrown));
    }
    const message = await readMessage(exchange.rawBody);
    if (message.kind === 'fault') return faultAnswer(200, message);
    if (message.kind === 'request') return answer(exchange, message);
    return faultAnswer(200, fault(null, RPC_REQUEST, 'Invalid request: id and method are needed'));
  };
}

interface Sending {
  readonly id: RpcId;
  readonly version: Version;
  readonly agent: HostedAgent;
  readonly sent: Sent<Ask>;
}

async function run(
  hub: Hub,
  operations: Operations,
  exchange: Exchange,
  { id, version, agent, sent }: Sending,
): Promise<Answer> {
  const { skill, skillAt, given, givenAt } = await sent.readCall();
  if (!agent.tools.some(({ name }) => name === skill)) {
    const skills = agent.tools.map(({ name }) => name);
    return refuseParams(skillAt, 'names no skill of this agent', { hint: GRAMMAR, skills });
  }
  if (!isObject(given)) return refuseParams(givenAt, 'must be an object', { hint: GRAMMAR });
  const header = messageKey(sent.messageId);
  const ask = { tool: skill, args: given, header };
  const outcome = await callHosted(operations, exchange, agent, ask);
  if (outcome.kind === 'fault') {
    const { status, headers, fault: why } = outcome;
    return faultAnswer(status, { ...why, id }, headers);
  }
  const thread: Thread = {
    id: hub.ids.uuid(),
    contextId: sent.contextId ?? hub.ids.uuid(),
    skill,
    requestId: exchange.requestId,
  };
  const shape = shapes[version];
  if (outcome.kind === 'result') {
    const value = { ...outcome.result, ...outcome.meta };
    return itemAnswer(
      { id, streams: false },
      shape.message(thread, { value, asText: sent.asText }),
    );
  }
  const state = 'code' in outcome.body ? 'rejected' : 'failed';
  const refusal = { value: outcome.body, asText: sent.asText };
  const task: Task = { ...thread, at: hub.clock.now(), state, refusal };
  return itemAnswer({ id, streams: false }, shape.taskItem(task));
}

function noTask(id: RpcId, version: Version): Answer {
  const says = 'There is no such agent or task here';
  const hint = 'Answers come at once; GET /api/v1/agents?q=<words> finds agents.';
  const error = new A2aError(UNSUPPORTED_OPERATION, says, { hint });
  return faultAnswer(200, errorFault(id, version, error));
}

function unknownMethod(name: string): A2aError {
  return new A2aError(RPC_METHOD, `Method not found: ${head(name, 80)}`, {
    hint: 'SendMessage of 1.0 and message/send of 0.3 are served; answers come at once.',
  });
}
