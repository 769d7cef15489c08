import { readFileSync } from 'node:fs';
import { mcpExtended, mcpTools } from '../../../generated/doors.ts';

/**
 * The tools as `tools/list` answers them, all in one page: many clients read the first page alone.
 * A client with a small context asks for a subset by the address of the door,
 * `/mcp?toolsets=work,wallet` (choices doors.toolsets). The list that is asked for by no name leaves
 * the schemas of results out, a third of its bytes. The file follows from the contract at build
 * time; it is read at the first request, and kept as JSON text.
 */
export interface Catalogue {
  /** JSON text of the tools of some toolsets; of all, without schemas of results, for none. */
  tools(toolsets: Toolsets): string;
}

export type Toolsets = readonly string[] | undefined;

/** What a worker needs, by a name of its own: its area is called tasks. */
const ALIASES: Readonly<Record<string, string>> = { work: 'tasks' };
/** All tools, with the schemas of their results. */
const ALL = 'all';
const FILE = new URL('../../../generated/mcpTools.json', import.meta.url);
const QUERY = /^\?toolsets=([A-Za-z]+(?:(?:,|%2C)[A-Za-z]+)*)$/i;

/** Every name that `toolsets` takes: the areas of the contract that have tools, and `work`. */
export const TOOLSETS: readonly string[] = [
  ...new Set([ALL, ...Object.keys(ALIASES), ...Object.values(mcpTools).map((id) => areaOf(id))]),
];

/** The toolsets that a query names; a text when it names none, or something that is none. */
export function readToolsets(query: string): Toolsets | { readonly wrong: string } {
  if (query === '' || query === '?') return undefined;
  const names = QUERY.exec(query)?.[1]?.split(/,|%2C/i);
  if (names === undefined) return { wrong: 'The door takes one query, toolsets=NAME,NAME' };
  const unknown = names.find((name) => !TOOLSETS.includes(name));
  if (unknown !== undefined) return { wrong: `No toolset is called ${unknown.slice(0, 40)}` };
  return names;
}

export function openCatalogue(): Catalogue {
  let all: readonly (readonly [string, string])[] | undefined;
  // Any set may be asked for; only the whole list, which most ask for, is kept.
  let whole: string | undefined;
  return {
    tools(toolsets) {
      all ??= readTools(readFileSync(FILE, 'utf8'));
      if (toolsets === undefined) return (whole ??= listed(all.map(withoutResult)));
      if (toolsets.includes(ALL)) return listed(all);
      const areas = new Set(toolsets.map((name) => ALIASES[name] ?? name));
      return listed(all.filter(([area]) => areas.has(area)));
    },
  };
}

function withoutResult([area, text]: readonly [string, string]): readonly [string, string] {
  const tool = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return [area, JSON.stringify({ ...tool, outputSchema: undefined })];
}

function listed(tools: readonly (readonly [string, string])[]): string {
  return `[${tools.map(([, tool]) => tool).join(',')}]`;
}

/** Area and JSON text of each tool; the generator writes one a line, in the order of the table. */
function readTools(text: string): readonly (readonly [string, string])[] {
  const lines = text.split('\n').slice(1, -2);
  const areas = Object.values(mcpTools).map(areaOf);
  return lines.map((line, index) => [
    areas[index] ?? '',
    line.endsWith(',') ? line.slice(0, -1) : line,
  ]);
}

function areaOf(operation: string): string {
  return operation.slice(0, operation.indexOf('.'));
}
