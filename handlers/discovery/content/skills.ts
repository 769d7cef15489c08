import { readFileSync } from 'node:fs';
import { a2aSkills } from '../../../generated/doors.ts';
import { charges } from '../../../generated/charges.ts';
import { operationTable, type OperationId } from '../../../generated/operations.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { contract, type ContractOperation, type ContractParameter } from './contract.ts';

export type Skill = Schemas['AgentCard']['skills'][number];

/** The name under which the card's security schemes hold the one that there is. */
export const SCHEME = 'hubSignature';
export const MODES: readonly string[] = ['application/json', 'text/plain'];

/** The flat input of every operation in the doors; each skill's operation is a tool there too. */
interface Tool {
  readonly name: string;
  readonly title: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly type?: string | readonly string[] }>>;
    readonly required?: readonly string[];
  };
}

const TOOLS = new URL('../../../generated/mcpTools.json', import.meta.url);

/** All skills, in the order of the contract; reads generated files, so it is called once. */
export function readSkills(): readonly Skill[] {
  const tools = JSON.parse(readFileSync(TOOLS, 'utf8')) as readonly Tool[];
  const operations = operationsById();
  return Object.entries(a2aSkills).map(([id, operationId]) => {
    const { mcp } = operationTable[operationId].door ?? {};
    const tool = tools.find(({ name }) => name === mcp);
    const operation = operations.get(operationId);
    if (tool === undefined || operation === undefined) throw new Error(`no input of skill ${id}`);
    return skillOf(id, operationId, tool, operation);
  });
}

function skillOf(
  id: string,
  operationId: OperationId,
  tool: Tool,
  operation: ContractOperation,
): Skill {
  const { auth, waits, method, path } = operationTable[operationId];
  const isSigned = auth === 'signed';
  const text = operation.description.replaceAll(/\s+/g, ' ').trim();
  return {
    id,
    name: tool.title,
    description: `${withSkillNames(text)} Arguments: ${argumentsLine(tool)}. The operation is ${method} ${path}${isSigned ? ', signed' : ', no signature needed'}.`,
    tags: [
      operationId.slice(0, operationId.indexOf('.')),
      ...(isSigned ? ['signed'] : []),
      ...(Object.hasOwn(charges, operationId) ? ['priced'] : []),
      ...(waits === true ? ['waits'] : []),
    ],
    examples: [JSON.stringify({ skill: id, arguments: exampleOf(operation) })],
    inputModes: MODES,
    outputModes: MODES,
    ...(isSigned && {
      securityRequirements: [{ schemes: { [SCHEME]: { list: [] } } }],
      security: [{ [SCHEME]: [] }],
    }),
  };
}

/** In the notation of the registry's `callWith`: `field*: type`, where `*` marks required ones. */
function argumentsLine({ inputSchema: { properties, required = [] } }: Tool): string {
  const words = Object.entries(properties).map(([name, { type }]) => {
    const shown = type === undefined ? 'any' : [type].flat().join('|');
    return `${name}${required.includes(name) ? '*' : ''}: ${shown}`;
  });
  return words.length === 0 ? 'none' : words.join(', ');
}

/** Texts of the contract name operations; a skill's reader knows skills, tools and routes. */
function withSkillNames(text: string): string {
  return text.replaceAll(/`([a-z]+\.[a-z][A-Za-z0-9]*)`/g, (whole, id: string) => {
    const spec = Object.values(operationTable).find((each) => each.id === id);
    if (spec === undefined) return whole;
    const { a2a, mcp } = spec.door ?? {};
    return `\`${a2a ?? mcp ?? `${spec.method} ${spec.path}`}\``;
  });
}

function exampleOf(operation: ContractOperation): Readonly<Record<string, unknown>> {
  const parameters = (operation.parameters ?? []).map(resolved);
  const named = parameters.flatMap(({ name, in: place, example }) =>
    place === 'header' || example === undefined ? [] : [[name, example] as const],
  );
  const body = operation.requestBody?.content['application/json']?.example;
  const fields = typeof body === 'object' && body !== null ? body : {};
  return { ...Object.fromEntries(named), ...fields };
}

function resolved(given: ContractParameter | { readonly $ref: string }): ContractParameter {
  if ('name' in given) return given;
  const name = given.$ref.slice(given.$ref.lastIndexOf('/') + 1);
  const found = contract.components.parameters[name];
  if (found === undefined) throw new Error(`no parameter ${given.$ref}`);
  return found;
}

function operationsById(): ReadonlyMap<string, ContractOperation> {
  return new Map(
    Object.values(contract.paths).flatMap((methods) =>
      Object.values(methods).map((each): [string, ContractOperation] => [each.operationId, each]),
    ),
  );
}
