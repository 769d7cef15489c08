import type { Account } from '../../../domain/account.ts';
import { parseInstant } from '../../../domain/instant.ts';
import { Facts, type Answer, type Exchange } from '../../middleware/exchange.ts';
import type { OperationSpec } from '../../../workflows/kernel/operation.ts';
import type { Arguments } from '../arguments.ts';
import type { RpcId } from '../jsonRpc.ts';
import type { Operations, Refusal } from '../operations.ts';
import { doorSpec } from '../transport.ts';
import { itemAnswer, refusedAnswer } from './answers.ts';
import {
  A2aError,
  refuseParams,
  TASK_NOT_CANCELABLE,
  TASK_NOT_FOUND,
  UNSUPPORTED_OPERATION,
} from './errors.ts';
import { countAt, nameAt } from './params.ts';
import { A2A_PATH } from './path.ts';
import { followed } from './send.ts';
import { shapes, type Task } from './shapes.ts';
import type { TaskStore } from './taskStore.ts';
import type { Version } from './version.ts';

/** The methods about tasks. A task is shown to the account that signed for it, and to no other. */
export interface TaskRequest {
  readonly id: RpcId;
  readonly version: Version;
  readonly params: Arguments;
  readonly streams: boolean;
}

interface TaskParts {
  readonly operations: Operations;
  readonly tasks: TaskStore;
}

/** Without a signature there are no tasks, so a task asked for by id is then not found. */
const ONE: OperationSpec = {
  ...doorSpec('a2a', A2A_PATH, 'One task of the A2A door'),
  auth: 'optional',
};
const ALL: OperationSpec = {
  ...doorSpec('a2a', A2A_PATH, 'The tasks of the A2A door'),
  auth: 'signed',
};
/** States of the protocol that no task of this door comes into; asked for, they find none. */
const NEVER_HERE = ['SUBMITTED', 'INPUT_REQUIRED', 'AUTH_REQUIRED'].map(
  (name) => `TASK_STATE_${name}`,
);
const PAGE_MAX = 100;
const PAGE_DEFAULT = 50;

type TaskMethod = (parts: TaskParts, exchange: Exchange, request: TaskRequest) => Promise<Answer>;

export const getTask: TaskMethod = (parts, exchange, request) =>
  withTask(parts, exchange, request, async (task, owner) => {
    // Clients ask again and again while a task works, and then there is nothing to write.
    if (task.state !== 'working') await parts.tasks.read(owner, [task.id]);
    countAt(request.params, 'historyLength', 'historyLength');
    return itemAnswer(request, shapes[request.version].task(task));
  });

export const cancelTask: TaskMethod = (parts, exchange, request) =>
  withTask(parts, exchange, request, async (task, owner) => {
    let { state } = task;
    // A client that lost the answer cancels again, and finds what it asked for.
    if (state === 'canceled') return itemAnswer(request, shapes[request.version].task(task));
    if (state === 'working') {
      parts.tasks.cancel(task.id);
      const ended = await parts.tasks.ended(owner, task.id, leaving(exchange));
      if (ended !== undefined) await parts.tasks.read(owner, [ended.id]);
      if (ended?.state === 'canceled') {
        return itemAnswer(request, shapes[request.version].task(ended));
      }
      state = ended?.state ?? state;
    }
    throw new A2aError(TASK_NOT_CANCELABLE, `Task not cancelable: ${task.id}`, {
      hint: `It is ${state}.`,
    });
  });

export const subscribeToTask: TaskMethod = (parts, exchange, request) =>
  withTask(parts, exchange, request, (task, owner) => {
    if (task.state === 'working') {
      const ended = parts.tasks.ended(owner, task.id, leaving(exchange));
      return followed(request, task, ended, () => parts.tasks.read(owner, [task.id]));
    }
    throw new A2aError(UNSUPPORTED_OPERATION, `Task ${task.id} is ${task.state}; nothing follows`, {
      hint: 'Ask for the task itself.',
    });
  });

/** A message for a task that there is: no task of this door asks anything back. */
export const refuseMessageTo: TaskMethod = (parts, exchange, request) =>
  withTask(parts, exchange, request, (task) => {
    throw new A2aError(UNSUPPORTED_OPERATION, `Task ${task.id} takes no more messages`, {
      hint: 'Send the call as a new message, without taskId.',
    });
  });

/** `ListTasks`: newest status first; answers are left out unless asked for. */
export const listTasks: TaskMethod = async (parts, exchange, request) => {
  const { params, version, id } = request;
  const read = readList(params, version);
  const owner = await ownerOf(parts, exchange, ALL);
  if (owner === undefined) throw new Error('who signs has an account');
  if (typeof owner !== 'string') return refusedAnswer(id, version, owner);
  const all = (await parts.tasks.list(owner)).filter(read.isWanted);
  const page = all.slice(read.start, read.start + read.pageSize);
  const tasks = read.withResults ? await parts.tasks.withAnswers(owner, page) : page;
  if (read.withResults) {
    const ids = tasks.map((task) => task.id);
    await parts.tasks.read(owner, ids);
  }
  const next = read.start + read.pageSize;
  return itemAnswer(request, {
    tasks: tasks.map((task) => shapes[version].task(task, read.withResults)),
    nextPageToken: next < all.length ? tokenAt(next) : '',
    pageSize: tasks.length,
    totalSize: all.length,
  });
};

interface ListQuery {
  readonly isWanted: (task: Task) => boolean;
  readonly start: number;
  readonly pageSize: number;
  readonly withResults: boolean;
}

function readList(params: Arguments, version: Version): ListQuery {
  const contextId = nameAt(params, 'contextId', 'contextId');
  const status = nameAt(params, 'status', 'status');
  const { states } = shapes[version];
  const known = [...Object.values(states), ...NEVER_HERE];
  if (status !== undefined && !known.includes(status)) {
    return refuseParams('status', `must be one of ${known.join(', ')}`);
  }
  const pageSize = countAt(params, 'pageSize', 'pageSize') ?? PAGE_DEFAULT;
  if (pageSize < 1 || pageSize > PAGE_MAX) {
    return refuseParams('pageSize', `must be from 1 to ${PAGE_MAX}`);
  }
  const token = nameAt(params, 'pageToken', 'pageToken');
  const start = token === undefined ? 0 : startOf(token);
  if (start === undefined) return refuseParams('pageToken', 'is none of this door');
  const after = nameAt(params, 'statusTimestampAfter', 'statusTimestampAfter');
  const since = after === undefined ? undefined : parseInstant(after);
  if (after !== undefined && since === undefined) {
    return refuseParams('statusTimestampAfter', 'must be an ISO 8601 time with a zone');
  }
  countAt(params, 'historyLength', 'historyLength');
  return {
    isWanted: (task) =>
      (contextId === undefined || task.contextId === contextId) &&
      (status === undefined || states[task.state] === status) &&
      (since === undefined || task.at >= since),
    start,
    pageSize,
    withResults: params['includeArtifacts'] === true,
  };
}

function tokenAt(start: number): string {
  return Buffer.from(`from ${start}`).toString('base64url');
}

function startOf(token: string): number | undefined {
  const text = /^from (\d{1,6})$/.exec(Buffer.from(token, 'base64url').toString('utf8'))?.[1];
  return text === undefined ? undefined : Number(text);
}

/** Raised when the caller hangs up. */
function leaving(exchange: Exchange): AbortSignal {
  return new Facts(exchange, undefined).gone;
}

async function withTask(
  parts: TaskParts,
  exchange: Exchange,
  { id, version, params }: TaskRequest,
  act: (task: Task, owner: Account) => Answer | Promise<Answer>,
): Promise<Answer> {
  const taskId = nameAt(params, 'id', 'id');
  if (taskId === undefined) return refuseParams('id', 'must name a task');
  const owner = await ownerOf(parts, exchange, ONE);
  if (owner !== undefined && typeof owner !== 'string') return refusedAnswer(id, version, owner);
  const task = owner === undefined ? undefined : await parts.tasks.find(owner, taskId);
  if (owner !== undefined && task !== undefined) return act(task, owner);
  throw new A2aError(TASK_NOT_FOUND, `Task not found: ${taskId}`, {
    hint:
      owner === undefined
        ? 'Sign the request: a task is shown to the key that signed for it. Calls that need no signature keep none.'
        : 'Tasks are kept an hour; of those whose answer was read, the newest fifty of an account.',
  });
}

/** The account that asks; a refusal when its signature fails; undefined when there is none. */
async function ownerOf(
  { operations }: TaskParts,
  exchange: Exchange,
  spec: OperationSpec,
): Promise<Account | Refusal | undefined> {
  const admission = await operations.admit(exchange, spec);
  if (admission.kind === 'refusal') return admission;
  const { identity } = admission.call;
  if (identity.kind !== 'signer') return undefined;
  // A read is served once as well: a copy of the request must not return the answer again.
  const spent = await operations.spend(admission.call);
  return spent ?? identity.account;
}
