import type { Json } from './_door.ts';

/**
 * A model's part in an everyday task, played by rules that anyone can repeat: it has the words of the
 * task and the names and descriptions that a host shows it, and takes the tool whose words fit best.
 */
export interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties?: Json };
}

export interface Everyday {
  readonly says: string;
  /** The values that the words hold, by the names of the hub. */
  readonly given: Json;
  readonly isDone: (answer: Json) => boolean;
}

/** Calls a tool and returns its answer, or undefined where it is refused. */
export type CallTool = (name: string, given: Json) => Promise<Json | undefined>;

export interface Outcome {
  readonly isDone: boolean;
  readonly calls: number;
}

const TRIES = 3;
const FINDERS = ['search-tools', 'call-tool'];
/** A word in a name says more than one in a description. */
const NAME_WEIGHT = 3;

/** Tries the tools that fit best, and then those that a search finds, where there is one. */
export async function attempt(
  { says, given, isDone }: Everyday,
  listed: readonly Listed[],
  call: CallTool,
): Promise<Outcome> {
  let calls = 0;
  const tried = new Set<string>();
  const tries = async (tools: readonly Listed[], through: boolean): Promise<boolean> => {
    for (const { name, inputSchema } of tools) {
      if (tried.has(name)) continue;
      tried.add(name);
      calls += 1;
      const values = only(given, inputSchema.properties ?? {});
      const answer = through
        ? await call('call-tool', { name, arguments: values })
        : await call(name, values);
      if (answer !== undefined && isDone(answer)) return true;
    }
    return false;
  };
  const own = listed.filter(({ name }) => !FINDERS.includes(name));
  if (await tries(best(says, own).slice(0, TRIES), false)) return { isDone: true, calls };
  if (own.length === listed.length) return { isDone: false, calls };
  calls += 1;
  const found = (await call('search-tools', { query: says })) ?? {};
  const isFound = await tries((found['tools'] ?? []) as readonly Listed[], true);
  return { isDone: isFound, calls };
}

function only(given: Json, properties: Json): Json {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in properties));
}

/** By the words that they share with the task, the rarer the more. Tools that share none are out. */
function best(says: string, tools: readonly Listed[]): readonly Listed[] {
  const words = wordsOf(says);
  const texts = tools.map((tool) => ({
    tool,
    name: wordsOf(tool.name),
    all: wordsOf(`${tool.name} ${tool.description}`),
  }));
  const rarity = (word: string): number =>
    Math.log((texts.length + 1) / (texts.filter(({ all }) => all.has(word)).length + 1));
  const scored = texts.map(({ tool, name, all }) => {
    const shared = [...words].filter((word) => all.has(word));
    const score = shared.reduce(
      (sum, word) => sum + rarity(word) * (name.has(word) ? NAME_WEIGHT : 1),
      0,
    );
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return new Set(words.filter((word) => word.length > 2).map((word) => word.replace(/s$/, '')));
}
