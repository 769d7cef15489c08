import type { paths } from '../../generated/types.ts';
import type { Hub } from './hub.ts';
import { unwrap, type Answer } from './refusal.ts';
import type { InitOf, PathsOf, Success } from './routes.ts';

/** The fields of every page of a list: whether there are more, and the `cursor` of the next. */
interface PageEnvelope {
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

type PageOf<Path extends PathsOf<'get'>> = Success<paths[Path]['get']>;

export type PagedPath = {
  [Path in PathsOf<'get'>]: PageOf<Path> extends PageEnvelope ? Path : never;
}[PathsOf<'get'>];

type ListsOf<Page> = {
  [Name in keyof Page]-?: NonNullable<Page[Name]> extends readonly unknown[] ? Name : never;
}[keyof Page];

type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

type Looked = Readonly<Record<string, unknown>>;

/**
 * Yields the pages of a list: `for await (const { tasks } of pages(hub, '/api/v1/tasks'))`. Each
 * page is requested when the loop needs it. Throws HubRefusal.
 */
export async function* pages<Path extends PagedPath>(
  hub: Hub,
  path: Path,
  init: InitOf<Path> = {},
): AsyncGenerator<PageOf<Path>> {
  // One signature stands for all of the paths here; the types above hold each to its own answer.
  const get = hub.GET as unknown as (path: string, init: Looked) => Promise<Answer<PageOf<Path>>>;
  const params = init.params as { readonly query?: Looked } | undefined;
  let query = params?.query;
  for (;;) {
    const page = unwrap(await get(path, { ...init, params: { ...params, query } }));
    yield page;
    const { hasMore, nextCursor: cursor }: PageEnvelope = page;
    if (!hasMore) return;
    query = { ...query, cursor };
  }
}

/** Every element of a list, over all of its pages: `items(hub, '/api/v1/tasks', 'tasks')`. */
export async function* items<Path extends PagedPath, Name extends ListsOf<PageOf<Path>>>(
  hub: Hub,
  path: Path,
  name: Name,
  init: InitOf<Path> = {},
): AsyncGenerator<ItemOf<PageOf<Path>[Name]>> {
  for await (const page of pages(hub, path, init)) {
    yield* page[name] as readonly ItemOf<PageOf<Path>[Name]>[];
  }
}
