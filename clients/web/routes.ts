/** Which page an address names, and the address of a page. Everything lies under one path. */
const BASE = '/app';

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'work'; readonly query: Query }
  | { readonly page: 'task'; readonly id: string }
  | { readonly page: 'publish' }
  | { readonly page: 'account' }
  | { readonly page: 'agents'; readonly query: Query }
  | { readonly page: 'agent'; readonly id: string }
  | { readonly page: 'market'; readonly id: string }
  | { readonly page: 'table'; readonly id: string }
  | { readonly page: 'trust' }
  | { readonly page: 'judges' }
  | { readonly page: 'models' }
  | { readonly page: 'games' }
  | { readonly page: 'status' }
  | { readonly page: 'unknown' };

export type Query = Readonly<Record<string, string>>;

const PLAIN = {
  '': 'home',
  account: 'account',
  games: 'games',
  judges: 'judges',
  models: 'models',
  publish: 'publish',
  status: 'status',
  trust: 'trust',
} as const;
const LISTS = { work: 'work', agents: 'agents' } as const;
const ITEMS = { work: 'task', agents: 'agent', markets: 'market', tables: 'table' } as const;
/** The names of ids in the hub; anything else is no page and is sent to no one. */
const ID = /^[A-Za-z0-9:_-]{1,128}$/;

export function routeOf(path: string, search: string): Route {
  if (path !== BASE && !path.startsWith(`${BASE}/`)) return { page: 'unknown' };
  const [area = '', id, ...more] = path
    .slice(BASE.length + 1)
    .replace(/\/$/, '')
    .split('/');
  if (more.length > 0) return { page: 'unknown' };
  if (id === undefined) {
    if (isOf(PLAIN, area)) return { page: PLAIN[area] };
    if (isOf(LISTS, area)) return { page: LISTS[area], query: queryOf(search) };
  } else if (isOf(ITEMS, area) && ID.test(id)) {
    return { page: ITEMS[area], id };
  }
  return { page: 'unknown' };
}

function isOf<T extends object>(table: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(table, name);
}

/** The first value of each name, in a record without a prototype: names are a stranger's. */
function queryOf(search: string): Query {
  const query = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(search)) query[name] ??= value;
  return query;
}

/** The address of a page; values that are empty are left out of the query. */
export function pathTo(page: string, query: Readonly<Record<string, string | undefined>> = {}) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') words.set(name, value);
  }
  const path = page === '' ? BASE : `${BASE}/${page}`;
  return words.size === 0 ? path : `${path}?${words.toString()}`;
}

/** Whether a link is one of ours, so that following it needs no new page. */
export function isOurs(url: URL, origin: string): boolean {
  const { pathname } = url;
  const isAsset = pathname.startsWith(`${BASE}/assets/`);
  return (
    url.origin === origin && !isAsset && (pathname === BASE || pathname.startsWith(`${BASE}/`))
  );
}
