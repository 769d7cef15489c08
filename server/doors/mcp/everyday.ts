import { isObject } from '../../../domain/jsonObject.ts';
import { head } from '../../../domain/text.ts';
import type { Arguments } from '../arguments.ts';

/**
 * The toolset `default`: twelve tools with which a model is paid, hires, pays and calls, for hosts
 * whose context every tool costs (choices doors.default). Two of them reach all others.
 */
export const EVERYDAY = 'default';
export const SEARCH = 'search-tools';
const CALL = 'call-tool';

/** Tools of the contract, each with the arguments that its entry keeps; all where none is named. */
export const EVERYDAY_TOOLS: Readonly<Record<string, readonly string[] | undefined>> = {
  'wallet-me': undefined,
  'claim-task': ['skills', 'minReward', 'wait'],
  'submit-solution': ['id', 'claimToken', 'result', 'idempotencyKey'],
  'publish-task': [
    'title',
    'description',
    'input',
    'rewardAmount',
    'requiredSkills',
    'verification',
    'acceptance',
    'disputeWindowSeconds',
    'deadline',
    'idempotencyKey',
  ],
  'tasks-get': undefined,
  'tasks-solutions': ['id'],
  'tasks-accept': ['id', 'solutionId'],
  'search-agents': ['q', 'skill', 'access', 'limit'],
  'call-agent': ['operation', 'arguments', 'agentId', 'maxPrice', 'idempotencyKey'],
  'wallet-pay': ['to', 'amount', 'memo', 'idempotencyKey'],
};

/** An acceptance rule is a schema of 1,000 tokens; its two common forms are enough to begin with. */
const RULE = {
  type: 'object',
  description:
    'The rule that a result must keep to be paid: {"kind": "contains", "values": ["a word"]}, or {"kind": "json_schema", "schema": {…}}. `search-tools` with publish-task shows the other forms.',
};
const FOUND_DEFAULT = 3;
const FOUND_MAX = 10;

type Listed = Readonly<Record<string, unknown>>;

const OWN: readonly Listed[] = [
  {
    name: SEARCH,
    title: 'Find other tools',
    description:
      'Finds tools of the hub that are not listed here, by words such as "dispute", "poker", "file" or "webhook", with the arguments that each takes. Call what it finds with call-tool. Needs no signature.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What the tool should do, in a few words.' },
        limit: { type: 'integer', description: `Tools to show, ${FOUND_DEFAULT} when absent.` },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { title: 'Find other tools', readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL,
    title: 'Call any tool of the hub',
    description:
      'Calls a tool that search-tools found, with the arguments that it takes. What that tool needs, this needs: most need a signed request, and some spend money.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool.' },
        arguments: { type: 'object', description: 'Its arguments.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { title: 'Call any tool of the hub', destructiveHint: true },
  },
];

/** The entries of the toolset, of the entries of all tools by their names. */
export function everydayTools(all: ReadonlyMap<string, string>): readonly string[] {
  const listed = Object.entries(EVERYDAY_TOOLS).map(([name, kept]) =>
    JSON.stringify(shortened(JSON.parse(all.get(name) ?? '{}') as Listed, kept)),
  );
  return [...listed, ...OWN.map((tool) => JSON.stringify(tool))];
}

/** Without the schema of the result, and with the kept arguments alone; the others still work. */
function shortened(tool: Listed, kept: readonly string[] | undefined): Listed {
  const { outputSchema: _, ...entry } = tool;
  if (kept === undefined) return entry;
  const { properties, required, ...schema } = entry['inputSchema'] as Listed;
  const all = properties as Listed;
  const needed = Array.isArray(required) ? required.map(String) : [];
  const listed = [...new Set([...needed, ...kept])];
  const own = listed.map((name) => [name, name === 'acceptance' ? RULE : all[name]] as const);
  const more = Object.keys(all).filter((name) => !listed.includes(name));
  return {
    ...entry,
    inputSchema: {
      ...schema,
      ...(more.length > 0 && {
        description: `Also taken, as ${SEARCH} shows: ${more.join(', ')}.`,
      }),
      properties: Object.fromEntries(own),
      ...(needed.length > 0 && { required: needed }),
      additionalProperties: true,
    },
  };
}

/** The call that `call-tool` wraps; any other call as it is. */
export function unwrapped(params: Arguments): Arguments {
  if (params['name'] !== CALL) return params;
  const given = params['arguments'];
  if (!isObject(given)) return { ...params, name: undefined };
  return { ...params, name: given['name'], arguments: given['arguments'] ?? {} };
}

interface Findable {
  readonly name: string;
  readonly text: string;
}

/** The letters of a query that are read: each word is looked for in every tool. */
const QUERY_MAX = 200;

/**
 * Finds the tools whose name, title and description have most of the words, the name counting most
 * and a word that few tools have more than one that all have. Their texts are read once.
 */
export function openSearch(all: readonly Findable[]): (given: Arguments) => Listed {
  const indexed = all.map(({ name, text }) => {
    const { outputSchema: _, ...tool } = JSON.parse(text) as Listed;
    const [inName, inTitle] = [stemsOf(name), stemsOf(String(tool['title']))];
    return { tool, inName, inTitle, inText: stemsOf(String(tool['description'])) };
  });
  const counts = new Map<string, number>();
  for (const { inName, inTitle, inText } of indexed) {
    for (const stem of new Set([...inName, ...inTitle, ...inText])) {
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
  }
  const rarity = (stem: string): number =>
    Math.log((indexed.length + 1) / (counts.get(stem) ?? indexed.length));
  return ({ query = '', limit }) => {
    const words = stemsOf(head(String(query), QUERY_MAX));
    const most = Number.isSafeInteger(limit) ? Number(limit) : FOUND_DEFAULT;
    const scored = indexed.map(({ tool, inName, inTitle, inText }) => {
      const score = words.reduce((sum, word) => {
        const isThere = (stems: readonly string[]): number => (stems.includes(word) ? 1 : 0);
        const places = 4 * isThere(inName) + 3 * isThere(inTitle) + isThere(inText);
        return sum + places * rarity(word);
      }, 0);
      return { tool, score };
    });
    const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
    const tools = found.slice(0, Math.max(1, Math.min(FOUND_MAX, most))).map(({ tool }) => tool);
    if (tools.length > 0) return { found: found.length, tools };
    return { found: 0, tools, names: all.map(({ name }) => name) };
  };
}

function stemsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.map((word) => word.replace(/(?:ies|ing|ed|es|s|e|y)$/, ''));
}
