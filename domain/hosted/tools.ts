import { defined } from '../defined.ts';
import type { JsonObject } from '../jsonObject.ts';
import { isObject, listOf } from '../jsonObject.ts';
import { descriptorHash } from '../registry/descriptor.ts';
import { injectionSignals } from '../registry/injection.ts';
import type { InjectionSignal, ListedSkill } from '../registry/listing.ts';
import type { ReadTool } from '../registry/readTools.ts';
import { cleanSchema, cleanText } from '../registry/text.ts';
import { skillOfTool, type Called } from '../registry/toolSkill.ts';
import type { HostedTool } from './agent.ts';
import { head } from '../text.ts';

/** A fault in the offer of a holder, found before or after its endpoint was asked for its tools. */
export interface ToolsFault {
  readonly at: number;
  readonly says: string;
  /** The one change that mends it, as a sentence. */
  readonly mend: string;
}

/** Names twice, texts of nothing, and schemas that no caller could fill in. */
export function toolsFault(tools: readonly HostedTool[]): ToolsFault | undefined {
  const seen = new Map<string, number>();
  for (const [at, { name, description, inputSchema }] of tools.entries()) {
    const place = `body.tools[${at}]`;
    const before = seen.get(name);
    if (before !== undefined) {
      const says = `Two tools are named ${name}: body.tools[${before}] and ${place}.`;
      return { at, says, mend: `Leave out ${place}.` };
    }
    seen.set(name, at);
    if (cleanText(description, 2_000) === undefined) {
      const says = `The description of ${name} has no character that a reader sees.`;
      return { at, says, mend: `Say in ${place}.description what the tool does.` };
    }
    const fault = inputSchema === undefined ? undefined : inputFault(inputSchema);
    if (fault === undefined) continue;
    const mend = `Leave out ${place}.inputSchema to take the one of the endpoint, or mend it.`;
    return { at, says: `The inputSchema of ${name} ${fault}.`, mend };
  }
  return undefined;
}

function inputFault(schema: JsonObject): string | undefined {
  if (schema['type'] !== 'object') return 'has no "type": "object" at its root';
  if (cleanSchema(schema) === undefined) return 'is larger than 32 KiB';
  return schemaFault(schema, '');
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** Returns the fault of a schema that no arguments can meet; other keywords are ignored. */
function schemaFault(schema: unknown, at: string): string | undefined {
  const where = at === '' ? 'its root' : at;
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return `has at ${where} something else than a schema`;
  const { type, properties, required, items } = schema;
  const types = Array.isArray(type) ? (type as readonly unknown[]) : [type ?? 'object'];
  if (!types.every((each) => typeof each === 'string' && TYPES.includes(each))) {
    return `has at ${where} a type that JSON Schema does not have`;
  }
  if (properties !== undefined && !isObject(properties)) {
    return `has at ${where} properties that are no object`;
  }
  if (required !== undefined && !isNames(required)) {
    return `has at ${where} required that is no list of names`;
  }
  const inside: (readonly [string, unknown])[] = Object.entries(properties ?? {}).map(
    ([name, each]) => [`${at}/properties/${head(name, 60)}`, each],
  );
  // Before 2020-12, `items` may be a list of schemas.
  for (const each of Array.isArray(items) ? (items as readonly unknown[]) : [items ?? true]) {
    inside.push([`${at}/items`, each]);
  }
  for (const [place, each] of inside) {
    const fault = schemaFault(each, place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** The comparison of one offered tool with the endpoint; `offer` is how it is listed then. */
export interface Compared {
  readonly tool: string;
  readonly outcome: 'ok' | 'differs' | 'failed';
  readonly says: string;
  readonly mend?: string;
  readonly offer?: HostedTool;
}

export function compareTools(
  tools: readonly HostedTool[],
  offered: readonly ReadTool[],
): readonly Compared[] {
  const byName = new Map(offered.map((each) => [each.name, each]));
  return tools.map((tool): Compared => {
    const { name, description, inputSchema: declared, price } = tool;
    const real = byName.get(name);
    if (real === undefined) {
      const near = nearest(name, [...byName.keys()]);
      const mend = near === undefined ? `Serve ${name}, or leave it out.` : `Did you mean ${near}?`;
      return { tool: name, outcome: 'failed', says: 'The endpoint does not list it.', mend };
    }
    const inputSchema = cleanSchema(declared) ?? real.inputSchema;
    const offer: HostedTool = {
      name,
      description: cleanText(description, 2_000) ?? real.description,
      ...defined({ inputSchema, outputSchema: real.outputSchema }),
      ...(price !== undefined && price > 0n && { price }),
    };
    const unsaid = requiredOf(real.inputSchema).filter(
      (each) => !requiredOf(inputSchema).includes(each),
    );
    if (unsaid.length === 0) return { tool: name, outcome: 'ok', says: 'It is listed.', offer };
    const says = `The endpoint requires ${unsaid.join(', ')}, which your schema does not.`;
    const mend = 'Leave inputSchema out to take the one of the endpoint.';
    return { tool: name, outcome: 'differs', says, mend, offer };
  });
}

function requiredOf(schema: JsonObject | undefined): readonly string[] {
  return listOf(schema?.['required']).filter((each): each is string => typeof each === 'string');
}

function nearest(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(name);
  return names.find((each) => plain(each) === wanted || each.includes(name) || name.includes(each));
}

/**
 * The tools as the registry lists them. A price is what a call really costs, since the hub itself
 * asks for it; a free tool is as the hub measured it, and unknown before.
 */
export function hostedSkills(
  tools: readonly HostedTool[],
  called: ReadonlyMap<string, Called>,
  before: readonly ListedSkill[],
): readonly ListedSkill[] {
  return tools.map((tool) => {
    const { name, description, inputSchema, outputSchema, price } = tool;
    const read: ReadTool = {
      name,
      description,
      ...defined({ inputSchema, outputSchema }),
      descriptorHash: descriptorHash(name, description, inputSchema, outputSchema),
    };
    const known = before.find(({ id }) => id === name);
    const free = known?.price === undefined ? known : undefined;
    if (price === undefined) return skillOfTool(read, called.get(name), free);
    const {
      access: _,
      why: __,
      verdict: ___,
      ...described
    } = skillOfTool(read, undefined, undefined);
    const why = `The hub asks ${price} atomic USDC for each call of it.`;
    const asked = { amount: price, asset: 'USDC' };
    return { ...described, access: 'paid', verdict: 'quoted', why, price: asked };
  });
}

/** Texts of the offer that address their reader; the registry marks them like any other's. */
export function offerSignals(
  name: string,
  tools: readonly HostedTool[],
): readonly InjectionSignal[] {
  return injectionSignals([
    { path: 'name', text: name },
    ...tools.flatMap((tool, place) => [
      { path: `tools/${place}/name`, text: tool.name },
      { path: `tools/${place}/description`, text: tool.description },
      { path: `tools/${place}/inputSchema`, text: JSON.stringify(tool.inputSchema ?? {}) },
      { path: `tools/${place}/outputSchema`, text: JSON.stringify(tool.outputSchema ?? {}) },
    ]),
  ]);
}
