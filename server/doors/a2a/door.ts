import { HubError } from '../../../workflows/kernel/errors.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { Answer, Exchange } from '../../middleware/exchange.ts';
import { fault, readMessage, RPC_METHOD, RPC_REQUEST, type RpcMessage } from '../jsonRpc.ts';
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
import { errorAnswer, refusedAnswer } from './answers.ts';
import {
  A2aError,
  CONTENT_TYPE_NOT_SUPPORTED,
  errorFault,
  EXTENDED_CARD_NOT_CONFIGURED,
  PUSH_NOTIFICATION_NOT_SUPPORTED,
  UNSUPPORTED_OPERATION,
} from './errors.ts';
import { readSent } from './params.ts';
import { A2A_PATH } from './path.ts';
import { send, type SendParts } from './send.ts';
import {
  cancelTask,
  getTask,
  listTasks,
  refuseMessageTo,
  subscribeToTask,
  type TaskRequest,
} from './taskMethods.ts';
import { openTaskStore } from './taskStore.ts';
import type { Version } from './version.ts';
import { requestedVersion } from './requestedVersion.ts';
import type { Routes } from '../../http/routes.ts';
import { a2aWords } from '../words.ts';
import { head } from '../../../domain/text.ts';

/** JSON-RPC over POST in the spellings of 1.0 and 0.3, answered with JSON or server-sent events. */
export interface A2aParts {
  readonly hub: Hub;
  readonly operations: Operations;
  readonly routes: Routes;
}

const SPEC = doorSpec('a2a', A2A_PATH, 'The A2A door');
const PROTOCOL_HEADERS = ['a2a-version', 'a2a-extensions', 'x-a2a-extensions'];
const METHOD_SHOWN_MAX = 80;

type Run = (parts: SendParts, exchange: Exchange, request: TaskRequest) => Promise<Answer>;

interface Method {
  readonly version: Version;
  readonly streams?: true;
  readonly run: Run;
}

const sendMessage: Run = async (parts, exchange, request) => {
  const sent = readSent(request.params, request.version);
  if (sent.taskId === undefined) return send(parts, exchange, { ...request, sent });
  return refuseMessageTo(parts, exchange, { ...request, params: { id: sent.taskId } });
};

const refusePush: Run = async () => {
  throw new A2aError(PUSH_NOTIFICATION_NOT_SUPPORTED, 'Push notifications are not supported', {
    hint: 'Stream the message, or ask for the task again.',
  });
};

/** The card declares none; 1.0 and 0.3 have different errors for that. */
const refuseExtendedCard: Run = async (_parts, _exchange, { version }) => {
  const code = version === '1.0' ? UNSUPPORTED_OPERATION : EXTENDED_CARD_NOT_CONFIGURED;
  throw new A2aError(code, 'There is no extended card', {
    hint: 'GET /.well-known/agent-card.json is the whole card, for everybody.',
  });
};

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['SendMessage', { version: '1.0', run: sendMessage }],
  ['SendStreamingMessage', { version: '1.0', streams: true, run: sendMessage }],
  ['GetTask', { version: '1.0', run: getTask }],
  ['ListTasks', { version: '1.0', run: listTasks }],
  ['CancelTask', { version: '1.0', run: cancelTask }],
  ['SubscribeToTask', { version: '1.0', streams: true, run: subscribeToTask }],
  ['CreateTaskPushNotificationConfig', { version: '1.0', run: refusePush }],
  ['GetTaskPushNotificationConfig', { version: '1.0', run: refusePush }],
  ['ListTaskPushNotificationConfigs', { version: '1.0', run: refusePush }],
  ['DeleteTaskPushNotificationConfig', { version: '1.0', run: refusePush }],
  ['GetExtendedAgentCard', { version: '1.0', run: refuseExtendedCard }],
  ['message/send', { version: '0.3', run: sendMessage }],
  ['message/stream', { version: '0.3', streams: true, run: sendMessage }],
  ['tasks/get', { version: '0.3', run: getTask }],
  ['tasks/cancel', { version: '0.3', run: cancelTask }],
  ['tasks/resubscribe', { version: '0.3', streams: true, run: subscribeToTask }],
  ['tasks/pushNotificationConfig/set', { version: '0.3', run: refusePush }],
  ['tasks/pushNotificationConfig/get', { version: '0.3', run: refusePush }],
  ['tasks/pushNotificationConfig/list', { version: '0.3', run: refusePush }],
  ['tasks/pushNotificationConfig/delete', { version: '0.3', run: refusePush }],
  ['agent/getAuthenticatedExtendedCard', { version: '0.3', run: refuseExtendedCard }],
]);

export function createA2aDoor({ hub, operations, routes }: A2aParts): Door {
  const words = a2aWords(routes);
  const parts: SendParts = { hub, operations, tasks: openTaskStore(hub), words };

  const answerRequest = async (exchange: Exchange, message: Message): Promise<Answer> => {
    const { id, method: name, params } = message;
    const method = METHODS.get(name);
    const { version = '1.0', streams = false } = method ?? {};
    const request = { id, version, params, streams };
    try {
      const wanted = requestedVersion(exchange);
      if (method !== undefined) return await method.run(parts, exchange, request);
      return errorAnswer({ ...request, version: wanted }, unknownMethod(name, wanted));
    } catch (thrown) {
      if (!(thrown instanceof A2aError)) throw thrown;
      return errorAnswer(request, thrown);
    }
  };

  return async (exchange) => {
    if (exchange.method === 'OPTIONS') return preflight(exchange, PROTOCOL_HEADERS);
    mustBePost(exchange, SPEC);
    if (!isJsonType(exchange)) return NOT_JSON;
    try {
      await readDoorBody(exchange, SPEC);
    } catch (thrown) {
      if (!(thrown instanceof HubError)) throw thrown;
      return refusedAnswer(null, UNREAD_VERSION, operations.refusalOf(exchange, thrown));
    }
    const message = await readMessage(exchange.rawBody);
    if (message.kind === 'fault') return faultAnswer(200, message);
    return message.kind === 'request' ? answerRequest(exchange, message) : NO_REQUEST;
  };
}

type Message = Extract<RpcMessage, { readonly kind: 'request' }>;

/** The version of a message that names none, or that was not read yet. */
const UNREAD_VERSION = '0.3';
const NOT_JSON = faultAnswer(
  415,
  errorFault(
    null,
    UNREAD_VERSION,
    new A2aError(CONTENT_TYPE_NOT_SUPPORTED, 'Content-Type must be application/json'),
  ),
);

/** The protocol has no notifications: a message without an id would be done and never answered. */
const NO_REQUEST = faultAnswer(
  200,
  fault(null, RPC_REQUEST, 'Invalid request: id and method are needed'),
);

function unknownMethod(name: string, version: Version): A2aError {
  const names = [...METHODS].flatMap(([each, { version: of }]) => (of === version ? [each] : []));
  return new A2aError(RPC_METHOD, `Method not found: ${head(name, METHOD_SHOWN_MAX)}`, {
    hint: `Methods of ${version}: ${names.join(', ')}.`,
  });
}
