import { readFile } from 'node:fs/promises';
import { insertOrder, newestOrders } from '../../db/tasks/boardOrders.ts';
import type { BoardOrder } from '../../db/tasks/boardOrders.ts';
import { iso } from '../../domain/instant.ts';
import { parseJson } from '../../domain/json.ts';
import { operationTable } from '../../generated/operations.ts';
import { readSettings } from '../boot/config.ts';
import { brandBody } from '../dispatch/decode.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import { openIds } from '../../workflows/kernel/ids.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { validate } from '../dispatch/validation.ts';
import { inDatabase, type Command, type Environment, type ExitCode } from './command.ts';
import type { Print } from './command.ts';

const SHOWN = 20;
/** Any account: the board publishes as hub:board, which the contract lets no caller name. */
const SOMEBODY = `key:${'1'.repeat(32)}`;
/** Tags that make the house's own tasks what they are. */
const RESERVED_TAG = /^(trial|starter|demand|bonus:.*)$/i;

/** `hubctl board add FILE` and `hubctl board list`: the operator's tasks, beside a running hub. */
export const board: Command = async (words, env, print) => {
  const [verb, file, ...more] = words;
  if (verb === 'list' && file === undefined) return list(env, print);
  if (verb === 'add' && file !== undefined && more.length === 0) return add(file, env, print);
  return undefined;
};

async function add(file: string, env: Environment, print: Print): Promise<ExitCode> {
  const body = await readOrder(file, print);
  if (body === undefined) return 2;
  return inDatabase(readSettings(env), print, async (store) => {
    const id = openIds(systemClock).uuid();
    await store.write((tx) => insertOrder(tx, { id, body, addedAt: systemClock.now() }));
    print(`${id} waits for the hub, which publishes it within seconds: hubctl board list\n`);
    return 0;
  });
}

/** A publish request that names no requester, as text; undefined, and said, for anything else. */
async function readOrder(file: string, print: Print): Promise<string | undefined> {
  const parsed = parseJson(await readFile(file), Infinity);
  if (!parsed.ok) {
    print(`${file}: ${parsed.why}\n`);
    return undefined;
  }
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || 'requester' in value) {
    print(`${file}: write the body of POST /api/v1/tasks without requester, it is hub:board\n`);
    return undefined;
  }
  const { 'tasks.publish': spec } = operationTable;
  const request = { ...value, requester: SOMEBODY };
  try {
    validate(spec, 'body', request);
    if (spec.body !== undefined) brandBody(spec.body, request);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    print(`${file}: ${error.message}\n`);
    return undefined;
  }
  const tags: readonly unknown[] = 'tags' in value && Array.isArray(value.tags) ? value.tags : [];
  const taken = tags.find((tag) => RESERVED_TAG.test(String(tag)));
  if (taken !== undefined) {
    print(`${file}: the tag ${String(taken)} is the hub's own\n`);
    return undefined;
  }
  return JSON.stringify(value);
}

async function list(env: Environment, print: Print): Promise<ExitCode> {
  return inDatabase(readSettings(env), print, async (store) => {
    const orders = await store.readOne((db) => newestOrders(db, SHOWN));
    print(orders.length === 0 ? 'Nothing was put on the board.\n' : orders.map(line).join(''));
    return 0;
  });
}

function line({ id, addedAt, outcome }: BoardOrder): string {
  const about =
    outcome.state === 'published' ? outcome.taskId : outcome.state === 'refused' ? outcome.why : '';
  return `${iso(addedAt)}  ${id}  ${outcome.state}  ${about}`.trimEnd() + '\n';
}
