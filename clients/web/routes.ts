/** Which page an address names, and the address of a page. All but the first lie under one path. */
const BASE = '/app';
const HOME = '/';

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'work'; readonly query: Query }
  | { readonly page: 'task'; readonly id: string }
  | { readonly page: 'publish' }
  | { readonly page: 'account' | 'money' | 'keys' | 'ownWork' | 'listings' | 'webhooks' }
  | { readonly page: 'storage'; readonly query: Query }
  | { readonly page: 'agents'; readonly query: Query }
  | { readonly page: 'agent'; readonly id: string }
  | { readonly page: 'market'; readonly id: string }
  | { readonly page: 'table'; readonly id: string }
  | { readonly page: 'trust' }
  | { readonly page: 'judges' }
  | { readonly page: 'judge'; readonly id: string }
  | { readonly page: 'models' }
  | { readonly page: 'games' }
  | { readonly page: 'ecosystem' }
  | { readonly page: 'status' }
  | { readonly page: 'tryCall'; readonly query: Query }
  | { readonly page: 'unknown' };

export type Query = Readonly<Record<string, string>>;

/**
 * The page at each address; `*` is an id. The build reads it and makes a shell for each.
 * @public
 */
export const PAGE_AT = {
  '': 'home',
  account: 'account',
  'account/keys': 'keys',
  'account/listings': 'listings',
  'account/money': 'money',
  'account/storage': 'storage',
  'account/webhooks': 'webhooks',
  'account/work': 'ownWork',
  agents: 'agents',
  'agents/*': 'agent',
  ecosystem: 'ecosystem',
  games: 'games',
  judges: 'judges',
  'judges/*': 'judge',
  'markets/*': 'market',
  models: 'models',
  publish: 'publish',
  status: 'status',
  'tables/*': 'table',
  trust: 'trust',
  try: 'tryCall',
  work: 'work',
  'work/*': 'task',
} as const satisfies Readonly<Record<string, Route['page']>>;
/** The names of ids in the hub; anything else is no page and is sent to no one. */
const ID = /^[A-Za-z0-9:_-]{1,128}$/;

export function routeOf(path: string, search: string): Route {
  if (path === HOME) return { page: 'home' };
  if (path !== BASE && !path.startsWith(`${BASE}/`)) return { page: 'unknown' };
  const [area = '', id = '', ...more] = path
    .slice(BASE.length + 1)
    .replace(/\/$/, '')
    .split('/');
  const named = id === '' ? area : `${area}/${id}`;
  const address = isOf(PAGE_AT, named) ? named : `${area}/*`;
  if (more.length > 0 || !isOf(PAGE_AT, address)) return { page: 'unknown' };
  const page = PAGE_AT[address];
  if (page === 'work' || page === 'agents' || page === 'storage' || page === 'tryCall')
    return { page, query: queryOf(search) };
  if (
    page === 'task' ||
    page === 'agent' ||
    page === 'judge' ||
    page === 'market' ||
    page === 'table'
  ) {
    return ID.test(id) ? { page, id } : { page: 'unknown' };
  }
  return { page };
}

function isOf<T extends object>(table: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(table, name);
}

/** Returns the first value of each name, in a record without a prototype: names are untrusted. */
function queryOf(search: string): Query {
  const query = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(search)) query[name] ??= value;
  return query;
}

export function pathTo(page: string, query: Readonly<Record<string, string | undefined>> = {}) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') words.set(name, value);
  }
  const path = page === '' ? HOME : `${BASE}/${page}`;
  return words.size === 0 ? path : `${path}?${words.toString()}`;
}

/** Whether a link is one of ours, so that following it needs no new page. */
export function isOurs(url: URL, origin: string): boolean {
  const { pathname } = url;
  const isAsset = pathname.startsWith(`${BASE}/assets/`);
  const isPage = pathname === HOME || pathname === BASE || pathname.startsWith(`${BASE}/`);
  return url.origin === origin && !isAsset && isPage;
}
