import type { Agent } from '../harness/agents.ts';
import { operations } from '../harness/contract.ts';
import type { Fixture } from '../harness/fixture.ts';

/** Words that were published, and the places whose reads may show them. */
export interface Published {
  readonly words: readonly string[];
  readonly ids: ReadonlyMap<string, string>;
  /** Further queries of operations. */
  readonly queries?: Readonly<Record<string, readonly string[]>>;
}

/** Each of the words that an answer to anyone has, with the operations that show it. */
export async function wordsShown(
  { anyone }: Fixture,
  published: Published,
  outsider: Agent,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const shown = new Map<string, string[]>();
  for (const { operationId, path } of readable()) {
    for (const url of urlsOf(operationId, path, { ...published, outsider })) {
      for (const by of [anyone, outsider]) {
        const { text } = await by.get(url);
        for (const word of published.words.filter((each) => text.includes(each))) {
          const already = shown.get(word) ?? [];
          if (!already.includes(operationId)) shown.set(word, [...already, operationId]);
        }
      }
    }
  }
  return shown;
}

function readable() {
  return operations.filter(({ method, raw }) => method === 'GET' && raw['x-auth'] !== 'api-key');
}

const QUERIES: Readonly<Record<string, (of: Published) => readonly string[]>> = {
  'discovery.search': () => ['?q=rudely'],
  'tasks.list': () => ['', '?state=open', '?state=paid'],
  'passport.names': ({ ids }) => [`?accounts=${ids.get('/api/v1/passport/{keyId}') ?? ''}`],
  'wallet.events': () => ['?wait=0'],
};

function urlsOf(
  operationId: string,
  path: string,
  of: Published & { readonly outsider: Agent },
): readonly string[] {
  const queries = [...(QUERIES[operationId]?.(of) ?? ['']), ...(of.queries?.[operationId] ?? [])];
  const places = [...of.ids].flatMap(([place, id]) => {
    const [template = ''] = place.split(' ');
    return path.startsWith(template) ? [path.replace(/\{(?:id|keyId)\}/, id)] : [];
  });
  const whole = [path, ...places].map((each) => each.replace('{owner}', of.outsider.account));
  return whole
    .map((each) => each.replace('{game}', 'predictions'))
    .filter((each) => !each.includes('{'))
    .flatMap((each) => queries.map((query) => `${each}${query}`));
}
