import { readFileSync } from 'node:fs';
import { mcpExtended, mcpTools } from '../../../generated/doors.ts';
import { head } from '../../../domain/text.ts';
import { EVERYDAY, EVERYDAY_TOOLS, everydayTools, openSearch } from './everyday.ts';
import type { Arguments } from '../arguments.ts';

/**
 * `tools/list` in one page, since many clients read only the first; `/mcp?toolsets=work,wallet`
 * asks for a subset (choices doors.toolsets). The plain list leaves out extended tools and result
 * schemas, a third of its bytes. The generated file is read at the first request.
 */
export interface Catalogue {
  /** JSON text of the tools of some toolsets; of the plain list for none. */
  tools(toolsets: Toolsets): string;
  /** The tools that words find, for `search-tools`. */
  search(given: Arguments): object;
}

export type Toolsets = readonly string[] | undefined;

/** The tools of a worker, under a name of their own: their area is called tasks. */
const ALIASES: Readonly<Record<string, string>> = { work: 'tasks' };
/** Every tool, extended ones too, with the schemas of their results. */
const ALL = 'all';
const FILE = new URL('../../../generated/mcpTools.json', import.meta.url);
const QUERY = /^\?toolsets=([A-Za-z]+(?:(?:,|%2C)[A-Za-z]+)*)$/i;

/** Every name that `toolsets` takes: the areas of the contract that have tools, and `work`. */
export const TOOLSETS: readonly string[] = [
  ...new Set([
    EVERYDAY,
    ALL,
    ...Object.keys(ALIASES),
    ...Object.values(mcpTools).map((id) => areaOf(id)),
  ]),
];

/** The toolsets that a query names; a text when it names none, or something that is none. */
export function readToolsets(query: string): Toolsets | { readonly wrong: string } {
  if (query === '' || query === '?') return undefined;
  const names = QUERY.exec(query)?.[1]?.split(/,|%2C/i);
  if (names === undefined) return { wrong: 'The door takes one query, toolsets=NAME,NAME' };
  const unknown = names.find((name) => !TOOLSETS.includes(name));
  if (unknown !== undefined) return { wrong: `No toolset is called ${head(unknown, 40)}` };
  return names;
}

interface Tool {
  readonly name: string;
  readonly area: string;
  /** Listed only where its toolset is asked for. */
  readonly isExtended: boolean;
  readonly text: string;
}

export function openCatalogue(): Catalogue {
  let read: readonly Tool[] | undefined;
  const all = (): readonly Tool[] => (read ??= readTools(readFileSync(FILE, 'utf8')));
  // Any set may be asked for; what most clients ask for is cached.
  let plain: string | undefined;
  let everyday: readonly string[] | undefined;
  let search: ReturnType<typeof openSearch> | undefined;
  return {
    tools(toolsets) {
      if (toolsets === undefined) return (plain ??= listed(all().flatMap(inPlainList)));
      const areas = new Set(toolsets.map((name) => ALIASES[name] ?? name));
      const isEveryday = areas.has(EVERYDAY);
      const named = all().filter(
        ({ name, area }) =>
          (areas.has(ALL) || areas.has(area)) &&
          !(isEveryday && Object.hasOwn(EVERYDAY_TOOLS, name)),
      );
      if (!isEveryday) return listed(named);
      everyday ??= everydayTools(new Map(all().map(({ name, text }) => [name, text])));
      return `[${[...everyday, ...named.map(({ text }) => text)].join(',')}]`;
    },
    search: (given) => (search ??= openSearch(all()))(given),
  };
}

/** The tool without the schema of its result; nothing for an extended one. */
function inPlainList({ isExtended, text, ...rest }: Tool): readonly Tool[] {
  if (isExtended) return [];
  const tool = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return [{ ...rest, isExtended, text: JSON.stringify({ ...tool, outputSchema: undefined }) }];
}

function listed(tools: readonly Tool[]): string {
  return `[${tools.map(({ text }) => text).join(',')}]`;
}

/** The generator writes one tool a line, in the order of the table. */
function readTools(text: string): readonly Tool[] {
  const lines = text.split('\n').slice(1, -2);
  return Object.entries(mcpTools).map(([name, operation], index) => ({
    name,
    area: areaOf(operation),
    isExtended: mcpExtended.includes(name),
    text: lines[index]?.replace(/,$/, '') ?? '',
  }));
}

function areaOf(operation: string): string {
  return operation.slice(0, operation.indexOf('.'));
}
