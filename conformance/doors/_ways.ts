import assert from 'node:assert/strict';
import { at, mustOk } from '../harness/must.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { deref, operations, type DeclaredOperation } from '../harness/contract.ts';
import type { Fixture } from '../harness/fixture.ts';
import { callSkill, dataOf, resultOf } from './a2a/_door.ts';
import { mustResult, send, toolCall, type Json } from './mcp/_door.ts';

/** Ways to call an operation with one object of arguments. Each new door joins every comparison. */
export interface Way {
  readonly name: string;
  call(world: Fixture, by: Agent, operationId: string, given: Json): Promise<Json>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

function declared(operationId: string): DeclaredOperation {
  const found = operations.find((each) => each.operationId === operationId);
  assert.ok(found !== undefined, operationId);
  return found;
}

const http: Way = {
  name: 'HTTP',
  async call(_world, by, operationId, given) {
    const { method, path, raw } = declared(operationId);
    const parameters = ((raw['parameters'] ?? []) as readonly unknown[]).map((each) =>
      deref<Parameter>(each),
    );
    const placed = (place: string): readonly (readonly [string, string])[] =>
      parameters.flatMap(({ name, in: where }) =>
        where === place && given[name] !== undefined ? [[name, String(given[name])] as const] : [],
      );
    const names = new Set(parameters.map(({ name }) => name));
    const body = Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
    const filled = placed('path').reduce(
      (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
      path,
    );
    const query = new URLSearchParams(placed('query').map((pair) => [...pair])).toString();
    const target = query === '' ? filled : `${filled}?${query}`;
    const answer: Answer = await (method === 'GET' ? by.get(target) : by.post(target, body));
    return mustOk(answer);
  },
};

const mcp: Way = {
  name: 'MCP',
  async call(world, by, operationId, given) {
    const tool = at(declared(operationId).raw, 'x-door', 'mcp');
    return mustResult(await send(world, toolCall(1, String(tool), given), { by }));
  },
};

/** Where the hub has no skill for an operation its caller goes by the route. */
const a2a: Way = {
  name: 'A2A',
  async call(world, by, operationId, given) {
    const skill = at(declared(operationId).raw, 'x-door', 'a2a');
    if (skill === undefined) return http.call(world, by, operationId, given);
    const result = resultOf(await callSkill(world, '1.0', String(skill), given, { by }));
    const artifacts = result['artifacts'] as readonly Json[] | undefined;
    return dataOf(artifacts?.[0] ?? result);
  },
};

export const ways: readonly Way[] = [http, mcp, a2a];
