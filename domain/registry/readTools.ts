import { descriptorHash } from './descriptor.ts';
import type { PublishedText } from './injection.ts';
import type { CardViolation } from './listing.ts';
import { type JsonObject, isObject, listOf } from '../jsonObject.ts';
import { cleanLine, cleanSchema, cleanText } from './text.ts';

/**
 * The tools of an MCP server, from the pages of tools/list in every era (choices registry.formats).
 * A tool that cannot be read is left out and named; the others stand.
 */
export interface ReadTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonObject;
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
/**
 * Words of a name that stand for a change somewhere. A tool with one of them is never called to see
 * what happens (interface, verify). The second kind are things as often as deeds: behind a word
 * that reads, as in `get_block`, they are things.
 */
const WRITE_VERBS: ReadonlySet<string> = new Set(
  (
    'accept add allocate approve archive assign authorize ban burn buy cancel change ' +
    'clear commit create deactivate delete deploy deposit destroy disable disconnect ' +
    'dispatch drop edit emit enable erase exec execute finalize flush grant import inject ' +
    'insert install invite invoke kill launch login logout merge mint modify move mutate ' +
    'navigate notify open overwrite patch pause pay provision publish purge push put ' +
    'rebuild recover redeem refund register reject remove rename renew replace reply ' +
    'reserve reset restart restore resume retry revert revoke rotate save sell send set ' +
    'settle sign signup spawn spend start stop submit subscribe swap sync terminate ' +
    'transfer trigger tweet unban uninstall unlock unsubscribe update upgrade upload ' +
    'upsert withdraw wipe write'
  ).split(' '),
);
const WRITE_VERBS_OR_THINGS: ReadonlySet<string> = new Set(
  (
    'allow apply attach bid block book charge checkout claim click close complete confirm ' +
    'connect copy email fill forward fund issue like lock mark order place post press ' +
    'print purchase record release reload request resolve run schedule share ship stake ' +
    'store tip trade train type'
  ).split(' '),
);
const READ_VERBS: ReadonlySet<string> = new Set(
  'check count describe echo fetch find get help info list lookup ping query read search show status view'.split(
    ' ',
  ),
);

/** Reads the results of tools/list, page after page, in their order. */
export function readTools(pages: readonly unknown[]): ReadTools {
  const given = pages.flatMap((page) => toolsOf(page)).slice(0, TOOLS_MAX);
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
    texts.push(...textsOf(path, value, inputSchema));
    const notCalled = whyNotCalled(name, value, inputSchema);
    return [
      {
        name,
        description: description ?? '',
        ...(inputSchema !== undefined && { inputSchema }),
        descriptorHash: descriptorHash(name, description ?? '', inputSchema),
        ...(notCalled !== undefined && { notCalled }),
      },
    ];
  });
  return { tools, violations, texts };
}

/** The cursor of the next page; a server that hands out anything else has no next page. */
export function nextCursor(page: unknown): string | undefined {
  const cursor = isObject(page) ? page['nextCursor'] : undefined;
  return typeof cursor === 'string' && cursor !== '' && cursor.length <= 8_192 ? cursor : undefined;
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
  const raw = schemaOf(tool);
  const properties = isObject(raw) && isObject(raw['properties']) ? raw['properties'] : {};
  const described = Object.entries(properties).flatMap(([name, property]) => {
    const text = isObject(property) ? property['description'] : undefined;
    return typeof text === 'string' && schema !== undefined
      ? [{ path: `${path}/inputSchema/${name}`, text }]
      : [];
  });
  return [...named, ...described];
}

function whyNotCalled(
  name: string,
  tool: JsonObject,
  schema: JsonObject | undefined,
): string | undefined {
  const verb = writeVerb(name);
  if (verb !== undefined) return `Its name has the write verb "${verb}".`;
  if (schema === undefined) return 'It publishes no input schema, so its arguments are unknown.';
  const required = listOf(schema['required']).filter((each) => typeof each === 'string');
  if (required.length > 0) return `It requires ${required.length} argument(s).`;
  if (['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if'].some((word) => word in schema)) {
    return 'Its schema may require arguments in more than one way.';
  }
  const { annotations, execution } = tool;
  if (isObject(annotations) && annotations['destructiveHint'] === true) {
    return 'It says that it is destructive.';
  }
  if (isObject(execution) && execution['taskSupport'] === 'required') {
    return 'It runs as a task only.';
  }
  return undefined;
}

/** The first word of a name that stands for a change; names in camelCase are taken apart. */
function writeVerb(name: string): string | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const reads = words.find((word) => word !== '');
  const isReading = reads !== undefined && READ_VERBS.has(reads);
  return words.find(
    (word) => WRITE_VERBS.has(word) || (!isReading && WRITE_VERBS_OR_THINGS.has(word)),
  );
}
