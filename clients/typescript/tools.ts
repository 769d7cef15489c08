import type { Hub } from './hub.ts';
import { NotTheHub, unwrap } from './refusal.ts';

/** One tool as it is described to a model; `parameters` is a JSON schema. */
export interface HubTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The list that OpenAI-style chat endpoints take as `tools`. */
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}

export interface HubTools {
  readonly tools: readonly HubTool[];
  readonly openAi: OpenAiTool[];
  /**
   * Does what a model asked for, signed by the hub's key, and gives the text for the model: the
   * answer, or the refusal with its hint, from which it can go on. Throws when no hub answers.
   */
  call(name: string, given: unknown): Promise<string>;
}

const VERSION = '2025-11-25';

/**
 * Returns the hub's operations as tools for a model, from its MCP door. Name those that the model
 * may use: texts of tasks are untrusted and can talk a model into paying.
 */
export async function hubTools(hub: Hub, only: readonly string[]): Promise<HubTools> {
  const listed: HubTool[] = [];
  let cursor: unknown;
  do {
    const page = await ask(hub, 'tools/list', cursor === undefined ? {} : { cursor });
    const found = page['tools'];
    if (Array.isArray(found)) listed.push(...found.map(toolOf));
    cursor = page['nextCursor'];
  } while (typeof cursor === 'string');
  const unknown = only.filter((name) => !listed.some((tool) => tool.name === name));
  if (unknown.length > 0) throw new TypeError(`the hub has no tool ${unknown.join(', ')}`);
  const tools = listed.filter(({ name }) => only.includes(name));
  const openAi = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...parameters } },
  }));
  return { tools, openAi, call: (name, given) => callTool(hub, tools, name, given) };
}

async function callTool(
  hub: Hub,
  tools: readonly HubTool[],
  name: string,
  given: unknown,
): Promise<string> {
  // The list is the permission: a model that names another tool gets an error text.
  if (!tools.some((tool) => tool.name === name)) return `There is no tool ${name}.`;
  const params = { name, arguments: typeof given === 'string' ? readArguments(given) : given };
  const { content } = await ask(hub, 'tools/call', params);
  const texts = Array.isArray(content) ? content.map((part: unknown) => textOf(part)) : [];
  return texts.filter((text) => text !== '').join('\n');
}

function readArguments(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return {};
  }
}

let asked = 0;

async function ask(
  hub: Hub,
  method: string,
  params: object,
): Promise<Readonly<Record<string, unknown>>> {
  asked += 1;
  const request = new Request(`${hub.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }),
  });
  const response = await hub.send(request);
  const text = await response.text();
  const message = readMessage(text);
  const { result, error } = message;
  if (isObject(result)) return result;
  if (!response.ok) unwrap({ error: message, response });
  throw new NotTheHub(response, isObject(error) ? String(error['message']) : text);
}

/** A JSON answer, or the last message of a stream of events. */
function readMessage(text: string): Readonly<Record<string, unknown>> {
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .at(-1);
  try {
    const value: unknown = JSON.parse(data === undefined ? text : data.slice('data:'.length));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function toolOf(value: unknown): HubTool {
  const tool = isObject(value) ? value : {};
  const { name, description, inputSchema } = tool;
  return {
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    parameters: isObject(inputSchema) ? inputSchema : { type: 'object' },
  };
}

function textOf(part: unknown): string {
  const text = isObject(part) ? part['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
