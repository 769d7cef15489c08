import { defined } from '../defined.ts';
import { whyNotCalled } from './callable.ts';
import { descriptorHash } from './descriptor.ts';
import { whyNotJudged } from './promise.ts';
import type { PublishedText } from './injection.ts';
import type { CardViolation } from './listing.ts';
import { type JsonObject, isObject, listOf, withoutUnset } from '../jsonObject.ts';
import { cleanLine, cleanSchema, cleanText } from './text.ts';

/** Tools of an MCP server (choices registry.formats); those that cannot be read are only named. */
export interface ReadTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly descriptorHash: string;
  /** Why the hub never calls it by itself; undefined when it may. */
  readonly notCalled?: string;
}

export interface ReadTools {
  readonly tools: readonly ReadTool[];
  readonly violations: readonly CardViolation[];
  readonly texts: readonly PublishedText[];
}

export const TOOLS_MAX = 1_000;
const NAME_LENGTH_MAX = 300;
const DESCRIPTION_LENGTH_MAX = 4_000;
/** MCP 2025-11-25, Tool Names. */
const NAME_GRAMMAR = /^[A-Za-z0-9_.-]{1,128}$/;
export function readTools(pages: readonly unknown[]): ReadTools {
  const given = pages
    .flatMap((page) => toolsOf(page))
    .slice(0, TOOLS_MAX)
    .map(withoutUnsetIn);
  const violations: CardViolation[] = [];
  const texts: PublishedText[] = [];
  const seen = new Set<string>();
  const tools = given.flatMap((value, place): readonly ReadTool[] => {
    const path = `tools/${place}`;
    const broken = (rule: string, says: string): void => {
      violations.push({ rule, path, says });
    };
    const name = isObject(value) ? cleanLine(value['name'], NAME_LENGTH_MAX) : undefined;
    if (!isObject(value) || name === undefined) {
      broken('tool-name', 'The tool has no name; it is left out.');
      return [];
    }
    if (seen.has(name)) {
      broken('tool-name-unique', `Another tool is named ${name}; the first of them counts.`);
      return [];
    }
    seen.add(name);
    if (!NAME_GRAMMAR.test(name)) {
      broken('tool-name-grammar', 'Names have letters, digits, _, - and . only, at most 128.');
    }
    const description =
      cleanText(value['description'], DESCRIPTION_LENGTH_MAX) ?? cleanText(value['title'], 400);
    if (description === undefined) broken('tool-description', `${name} has no description.`);
    const schema = schemaOf(value);
    const inputSchema = cleanSchema(schema);
    if (inputSchema === undefined) {
      broken('tool-schema', `${name} has no input schema that is an object of usual size.`);
    }
    const outputSchema = cleanSchema(value['outputSchema']);
    const unjudged = outputSchema && whyNotJudged(outputSchema);
    if (unjudged !== undefined) broken('tool-output-schema', unjudgedSays(name, unjudged));
    texts.push(...textsOf(path, value, inputSchema));
    const notCalled = whyNotCalled(name, value, inputSchema);
    return [
      {
        name,
        description: description ?? '',
        ...defined({ inputSchema, outputSchema }),
        descriptorHash: descriptorHash(name, description ?? '', inputSchema, outputSchema),
        ...defined({ notCalled }),
      },
    ];
  });
  return { tools, violations, texts };
}

function unjudgedSays(name: string, why: string): string {
  return `The output schema of ${name} promises nothing, since the hub cannot judge it: ${why}.`;
}

/** Serializers write an absent member as null. Within a schema null is a value, such as `const`. */
function withoutUnsetIn(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const members = Object.entries(withoutUnset(tool)).map(([name, member]) => [
    name,
    !isObject(member)
      ? member
      : SCHEMAS.includes(name)
        ? schemaWithoutUnset(member)
        : withoutUnset(member),
  ]);
  return Object.fromEntries(members) as JsonObject;
}

const SCHEMAS: readonly string[] = ['inputSchema', 'input_schema', 'parameters', 'outputSchema'];
const VALUES: readonly string[] = ['const', 'default'];

function schemaWithoutUnset(schema: JsonObject): JsonObject {
  const set = Object.entries(schema).filter(
    ([name, value]) => value !== null || VALUES.includes(name),
  );
  return Object.fromEntries(set);
}

const CURSOR_LENGTH_MAX = 8_192;

/**
 * Returns the next page's cursor, undefined at the end of the list. An empty text is a cursor (MCP,
 * Pagination). A cursor in `seen` would never end, so it ends the list.
 */
export function nextCursor(page: unknown, seen: Set<string>): string | undefined {
  const cursor = isObject(page) ? page['nextCursor'] : undefined;
  if (typeof cursor !== 'string' || cursor.length > CURSOR_LENGTH_MAX) return undefined;
  if (seen.has(cursor)) return undefined;
  seen.add(cursor);
  return cursor;
}

/** A list, or an object from names to tools, which some frameworks print. */
function toolsOf(page: unknown): readonly unknown[] {
  const tools = isObject(page) ? page['tools'] : undefined;
  if (!isObject(tools)) return listOf(tools);
  return Object.entries(tools).map(([name, tool]) => (isObject(tool) ? { name, ...tool } : tool));
}

function schemaOf(tool: JsonObject): unknown {
  return tool['inputSchema'] ?? tool['input_schema'] ?? tool['parameters'];
}

function textsOf(
  path: string,
  tool: JsonObject,
  schema: JsonObject | undefined,
): readonly PublishedText[] {
  const named = ['name', 'title', 'description'].flatMap((field) => {
    const text = tool[field];
    return typeof text === 'string' ? [{ path: `${path}/${field}`, text }] : [];
  });
  const described = [
    ...(schema === undefined ? [] : descriptionsIn(`${path}/inputSchema`, schemaOf(tool))),
    ...descriptionsIn(`${path}/outputSchema`, tool['outputSchema']),
  ];
  return [...named, ...described];
}

function descriptionsIn(path: string, schema: unknown): readonly PublishedText[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const text = isObject(property) ? property['description'] : undefined;
    return typeof text === 'string' ? [{ path: `${path}/${name}`, text }] : [];
  });
}
