import { defined } from '../../../domain/defined.ts';
import { iso, type Instant } from '../../../domain/instant.ts';
import { exactText } from '../../../workflows/kernel/exactJson.ts';
import type { Version } from './version.ts';

/** Answers of the door, and how each version of the protocol spells them. */

/** The result or refusal of an operation, and whether the caller takes only text. */
export interface Content {
  readonly value: unknown;
  /** The value as JSON text; a value that is a text already is said as it is. */
  readonly asText: boolean;
}

/** The fields of one call, on every message and task of it. */
export interface Thread {
  readonly id: string;
  readonly contextId: string;
  /** Absent where none was called. */
  readonly skill?: string;
  readonly requestId: string;
}

export type State = 'working' | 'completed' | 'canceled' | 'rejected' | 'failed';

export interface Task extends Thread {
  readonly state: State;
  /** When it came into this state. */
  readonly at: Instant;
  /** The answer of the operation; absent while it works and when it was refused. */
  readonly result?: Content;
  readonly refusal?: Content;
}

type Json = Readonly<Record<string, unknown>>;

export interface Shapes {
  readonly states: Readonly<Record<State, string>>;
  /** An answer that needs no task; as a whole result or a whole event. */
  message(thread: Thread, content: Content): Json;
  /** A task by itself, as `GetTask` answers it. */
  task(task: Task, withResult?: boolean): Json;
  taskItem(task: Task): Json;
  /** The answer of a task, whole in one event. */
  artifactItem(task: Task, content: Content): Json;
  /** The last event of a task: it is at its end. */
  endItem(task: Task): Json;
}

interface Words {
  readonly states: Readonly<Record<State, string>>;
  readonly role: string;
  part(content: Content): Json;
  /** Wraps or marks an item of a result, by its name in 1.0. */
  item(name: 'message' | 'task' | 'artifactUpdate' | 'statusUpdate', value: Json): Json;
  /** Marks a message or task that stands inside another object. */
  inner(name: 'message' | 'task', value: Json): Json;
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain';

const WORDS_1_0: Words = {
  states: {
    working: 'TASK_STATE_WORKING',
    completed: 'TASK_STATE_COMPLETED',
    canceled: 'TASK_STATE_CANCELED',
    rejected: 'TASK_STATE_REJECTED',
    failed: 'TASK_STATE_FAILED',
  },
  role: 'ROLE_AGENT',
  part({ value, asText }) {
    if (typeof value === 'string') return { text: value, mediaType: TEXT_TYPE };
    const content = asText ? { text: exactText(value) } : { data: value };
    return { ...content, mediaType: JSON_TYPE };
  },
  item: (name, value) => ({ [name]: value }),
  inner: (_, value) => value,
};

const KINDS_0_3 = {
  message: 'message',
  task: 'task',
  artifactUpdate: 'artifact-update',
  statusUpdate: 'status-update',
} as const;

const WORDS_0_3: Words = {
  states: {
    working: 'working',
    completed: 'completed',
    canceled: 'canceled',
    rejected: 'rejected',
    failed: 'failed',
  },
  role: 'agent',
  part: ({ value, asText }) =>
    asText || typeof value === 'string'
      ? { kind: 'text', text: typeof value === 'string' ? value : exactText(value) }
      : { kind: 'data', data: value },
  item: (name, value) => ({
    kind: KINDS_0_3[name],
    ...value,
    ...(name === 'statusUpdate' && { final: true }),
  }),
  inner: (name, value) => ({ kind: KINDS_0_3[name], ...value }),
};

function shapesOf({ states, role, part, item, inner }: Words): Shapes {
  const metadata = ({ skill, requestId }: Thread): Json => ({
    ...defined({ skill }),
    requestId,
  });
  const messageOf = (thread: Thread, content: Content): Json => ({
    messageId: thread.id,
    contextId: thread.contextId,
    role,
    parts: [part(content)],
    metadata: metadata(thread),
  });
  const status = (task: Task): Json => ({
    state: states[task.state],
    timestamp: iso(task.at),
    ...(task.refusal && {
      message: inner('message', { ...messageOf(task, task.refusal), taskId: task.id }),
    }),
  });
  const artifact = (task: Task, content: Content): Json => ({
    artifactId: 'result',
    ...defined({ name: task.skill }),
    parts: [part(content)],
  });
  const bare = (task: Task, withResult = true): Json => ({
    id: task.id,
    contextId: task.contextId,
    status: status(task),
    ...(task.result && withResult && { artifacts: [artifact(task, task.result)] }),
    metadata: metadata(task),
  });
  const names = ({ id, contextId }: Task): Json => ({ taskId: id, contextId });
  return {
    states,
    message: (thread, content) => item('message', messageOf(thread, content)),
    task: (task, withResult) => inner('task', bare(task, withResult)),
    taskItem: (task) => item('task', bare(task)),
    artifactItem: (task, content) => {
      const value = { ...names(task), artifact: artifact(task, content), lastChunk: true };
      return item('artifactUpdate', value);
    },
    endItem: (task) => item('statusUpdate', { ...names(task), status: status(task) }),
  };
}

export const shapes: Readonly<Record<Version, Shapes>> = {
  '1.0': shapesOf(WORDS_1_0),
  '0.3': shapesOf(WORDS_0_3),
};
