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

/** What a holder offers, before and after the endpoint was asked what it really has. */
export interface ToolsFault {
  readonly at: number;
  readonly says: string;
}

/** Names twice, texts of nothing, and schemas that no caller could fill in. */
export function toolsFault(tools: readonly HostedTool[]): ToolsFault | undefined {
  const seen = new Set<string>();
  for (const [at, { name, description, inputSchema }] of tools.entries()) {
    if (seen.has(name)) return { at, says: `Two tools are named ${name}.` };
    seen.add(name);
    if (cleanText(description, 2_000) === undefined) {
      return { at, says: `The description of ${name} has no character that a reader sees.` };
    }
    const fault = inputSchema === undefined ? undefined : schemaFault(inputSchema);
    if (fault !== undefined) return { at, says: `The inputSchema of ${name} ${fault}.` };
  }
  return undefined;
}

function schemaFault(schema: JsonObject): string | undefined {
  if (schema['type'] !== 'object') return 'has no "type": "object" at its root';
  const { properties, required } = schema;
  if (properties !== undefined && !isObject(properties)) return 'has properties that are no object';
  if (required !== undefined && !isNames(required)) return 'has required that is no list of names';
  return cleanSchema(schema) === undefined ? 'is larger than 32 KiB' : undefined;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** What the endpoint says of one tool on offer; `offer` is how it is listed then. */
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
      ...defined({ inputSchema }),
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

/** The name that differs least, when it is nearly the same. */
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
    const { name, description, inputSchema, price } = tool;
    const read: ReadTool = {
      name,
      description,
      ...defined({ inputSchema }),
      descriptorHash: descriptorHash(name, description, inputSchema),
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

/** Texts of the offer that address whoever reads them; the registry marks them like any other's. */
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
    ]),
  ]);
}
