import type { AnyReply } from '../../http/wire.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { inTime } from '../../../workflows/kernel/inTime.ts';
import type { Answer, Exchange, Identified } from '../../middleware/exchange.ts';
import { type RpcId } from '../jsonRpc.ts';
import { isObject } from '../../../domain/jsonObject.ts';
import type { Operations, Outcome } from '../operations.ts';
import type { Words } from '../words.ts';
import { doorSpec, eventAnswer } from '../transport.ts';
import { itemAnswer, itemTexts, refusedAnswer } from './answers.ts';
import { A2aError, UNSUPPORTED_OPERATION } from './errors.ts';
import type { Sent } from './params.ts';
import { messageKey } from './messageKey.ts';
import { A2A_PATH } from './path.ts';
import { shapes, type Task, type Thread } from './shapes.ts';
import { welcome, type SkillCall } from './skillCall.ts';
import type { Running, TaskStore } from './taskStore.ts';
import type { Version } from './version.ts';

/** A skill is one operation. A read is answered with a message, anything else with a task. */
export interface SendRequest {
  readonly id: RpcId;
  readonly version: Version;
  readonly sent: Sent;
  /** The caller asked for a stream of events. */
  readonly streams: boolean;
}

export interface SendParts {
  readonly hub: Hub;
  readonly operations: Operations;
  readonly tasks: TaskStore;
  readonly words: Words;
}

/** A message that calls nothing counts as a request all the same. */
const DOOR = doorSpec('a2a', A2A_PATH, 'A message of the A2A door');

/** A call that waits longer is shown at work; until then its refusal has a status of its own. */
const PROMPT_MS = 100;

export async function send(
  parts: SendParts,
  exchange: Exchange,
  request: SendRequest,
): Promise<Answer> {
  const { hub, operations } = parts;
  const call = await request.sent.readCall();
  const place = {
    id: hub.ids.uuid(),
    contextId: request.sent.contextId ?? hub.ids.uuid(),
    requestId: exchange.requestId,
  };
  if ('free' in call) {
    const admission = await operations.admit(exchange, DOOR);
    if (admission.kind === 'refusal') return refusedAnswer(request.id, request.version, admission);
    const content = { value: welcome(hub.settings), asText: true };
    return itemAnswer(request, shapes[request.version].message(place, content));
  }
  const thread: Thread = { ...place, skill: call.skill };
  const admission = await operations.admit(exchange, call.spec);
  if (admission.kind === 'refusal') {
    const refused = parts.words.spoken(call.spec, admission);
    return answered({ ...parts, request, call, thread }, refused);
  }
  const sending = { ...parts, request, call, thread, admitted: admission.call };
  if (call.spec.waits === true) return sendWaiting(sending);
  const outcome = await operations.run(admission.call, { ...call, header: keyOf(sending) });
  return answered(sending, parts.words.spoken(call.spec, outcome));
}

interface Sending extends SendParts {
  readonly request: SendRequest;
  readonly call: SkillCall;
  readonly thread: Thread;
  /** Absent when the request was refused at the door. */
  readonly admitted?: Identified;
}

/** The key of a call is its message, unless its arguments have a key of their own. */
function keyOf({ request, call }: Sending): Readonly<Record<string, string>> {
  return 'idempotencyKey' in call.arguments ? {} : messageKey(request.sent.messageId);
}

async function answered(sending: Sending, outcome: Outcome): Promise<Answer> {
  const { request, call, thread } = sending;
  const { id, version, sent } = request;
  if (outcome.kind === 'refusal' && outcome.refusal.status === 401) {
    return refusedAnswer(id, version, outcome);
  }
  const { headers = {} } = outcome.kind === 'reply' ? outcome.reply : outcome.refusal;
  if (outcome.kind === 'reply' && call.spec.method === 'GET') {
    const content = { value: outcome.reply.body, asText: sent.asText };
    return itemAnswer(request, shapes[version].message(thread, content), headers);
  }
  const task = endOf(sending, outcome, false);
  // Its caller reads it in this very answer.
  await keep(sending, task);
  return itemAnswer(request, shapes[version].taskItem(task), headers);
}

async function keep({ tasks, admitted }: Sending, task: Task): Promise<void> {
  if (admitted?.identity.kind === 'signer') await tasks.keep(admitted.identity.account, task);
}

function endOf({ hub, thread, request }: Sending, outcome: Outcome, wasCancelled: boolean): Task {
  const { asText } = request.sent;
  const at = hub.clock.now();
  if (outcome.kind === 'refusal') {
    const { status, body } = outcome.refusal;
    const state = status >= 500 ? 'failed' : 'rejected';
    return { ...thread, at, state, refusal: { value: body, asText } };
  }
  const result = { value: outcome.reply.body, asText };
  const state = wasCancelled && isIdle(outcome.reply) ? 'canceled' : 'completed';
  return { ...thread, at, state, result };
}

/** Whether a poll ended without work. The task of a poll that got some is kept. */
function isIdle({ body }: AnyReply): boolean {
  return isObject(body) && body['work'] === null;
}

/** A call that waits: its own answer when it ends promptly, else as the caller wants to wait. */
async function sendWaiting(sending: Sending & { readonly admitted: Identified }): Promise<Answer> {
  const { hub, operations, tasks, words, request, call, thread, admitted } = sending;
  const { version, sent, streams } = request;
  const { identity } = admitted;
  if (identity.kind === 'signer' && sent.atOnce && !(await tasks.hasRoom(identity.account))) {
    throw new A2aError(UNSUPPORTED_OPERATION, 'Too many answers of yours wait to be read', {
      hint: `Read them by ${version === '1.0' ? 'GetTask' : 'tasks/get'}, or send this one without returning at once.`,
    });
  }
  const cancelling = new AbortController();
  const answer = operations.run(admitted, {
    ...call,
    header: keyOf(sending),
    cancelled: cancelling.signal,
    detached: sent.atOnce && !streams,
  });
  const outcome = answer.then((ended) => words.spoken(call.spec, ended));
  const prompt = await inTime(outcome, PROMPT_MS);
  if (prompt !== undefined) return answered(sending, prompt);
  const running: Running = {
    ended: outcome.then((each) => endOf(sending, each, cancelling.signal.aborted)),
    cancel: () => cancelling.abort(),
  };
  const working: Task = { ...thread, at: hub.clock.now(), state: 'working' };
  if (identity.kind === 'signer') await tasks.open(identity.account, working, running);
  const read = async (): Promise<void> => {
    if (identity.kind === 'signer') await tasks.read(identity.account, [thread.id]);
  };
  if (streams) return followed(request, working, running.ended, read);
  if (sent.atOnce) return itemAnswer(request, shapes[version].taskItem(working));
  const ended = await outcome;
  const task = await running.ended;
  // The answer goes to its caller now, unless the caller hung up.
  if (!hasGone(admitted)) await read();
  return ended.kind === 'refusal' && ended.refusal.status === 401
    ? refusedAnswer(request.id, version, ended)
    : itemAnswer(request, shapes[version].taskItem(task));
}

/** A caller that hung up gets no answer; one that asked for it can come back for it. */
function hasGone({ exchange }: Identified): boolean {
  return exchange.response.destroyed;
}

/** The events of a task that works: itself, then its answer, then its end. */
export function followed(
  { id, version }: Pick<SendRequest, 'id' | 'version'>,
  task: Task,
  end: Promise<Task | undefined>,
  read: () => Promise<void>,
): Answer {
  const { taskItem, artifactItem, endItem } = shapes[version];
  async function* events(): AsyncGenerator<unknown> {
    yield taskItem(task);
    const ended = await end;
    if (ended === undefined) return;
    if (ended.result !== undefined) yield artifactItem(ended, ended.result);
    yield endItem(ended);
    await read();
  }
  return eventAnswer(200, itemTexts(id, events()));
}
