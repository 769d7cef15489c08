import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import { FEED_LIMITS, type FeedKind } from './crawlFeed.ts';
import { entryOf, type FeedEntry, type FeedFault, type FeedPage } from './feedEntry.ts';
import { readAddressList } from './readAddressList.ts';
import { parseUntrustedJson } from './readJson.ts';
import { registryName, serverPackage, type ServerPackage } from './serverPackage.ts';
import { cleanLine } from './text.ts';
import { defined } from '../defined.ts';

const CURSOR_LENGTH_MAX = 1_024;
const NAME_LENGTH_MAX = 200;

/** Reads one page, or says why it cannot be read. `asked` is the address and cursor of the page. */
export function readCrawlFeed(
  kind: FeedKind,
  text: string,
  asked: { readonly url: string; readonly cursor?: string },
): FeedPage | FeedFault {
  const page = readers[kind](text, asked);
  if ('fault' in page) return page;
  if (page.next !== undefined && page.next.length > CURSOR_LENGTH_MAX) {
    return { fault: `Its cursor has more than ${CURSOR_LENGTH_MAX} characters.` };
  }
  if (page.next !== undefined && page.next === asked.cursor) {
    return { fault: 'It gave the cursor of the page that was asked for, so it has no end.' };
  }
  const { packages = [], entries, skipped } = page;
  if (page.next !== undefined && entries.length + packages.length + skipped === 0) {
    return { fault: 'It gave a page without entries and another cursor, so it may have no end.' };
  }
  const most = FEED_LIMITS.entriesAPage;
  if (entries.length <= most) return page;
  const over = entries.length - most;
  return { ...page, entries: entries.slice(0, most), skipped: skipped + over };
}

type Read = (
  text: string,
  asked: { readonly url: string; readonly cursor?: string },
) => FeedPage | FeedFault;

const readers: Readonly<Record<FeedKind, Read>> = {
  'mcp-registry': readMcpRegistry,
  x402: readX402,
  hub: readHub,
  list: readAddressList,
};

/** One entry for each remote; a server without one is a package, or skipped. */
function readMcpRegistry(text: string): FeedPage | FeedFault {
  const body = parseUntrustedJson(text);
  if (!isObject(body) || !Array.isArray(body['servers'])) {
    return { fault: 'It is not the JSON of an MCP registry, which has `servers`.' };
  }
  const entries: FeedEntry[] = [];
  const packages = new Map<string, ServerPackage>();
  const gone = new Set<string>();
  let skipped = 0;
  for (const record of body['servers'] as unknown[]) {
    const { server, isActive } = serverOf(record);
    const remotes = isActive ? remotesOf(server) : [];
    const isRemote = listOf(server['remotes']).length > 0;
    const found = isActive && !isRemote ? serverPackage(server) : undefined;
    entries.push(...remotes);
    if (remotes.length === 0 && found === undefined) skipped += 1;
    const name = found?.name ?? registryName(server['name']);
    if (name === undefined) continue;
    if (found !== undefined) packages.set(name, found);
    else packages.delete(name);
    if (found === undefined) gone.add(name);
    else gone.delete(name);
  }
  const metadata = isObject(body['metadata']) ? body['metadata'] : {};
  const next = textOf(metadata['nextCursor'] ?? metadata['next_cursor']);
  return {
    entries,
    skipped,
    packages: [...packages.values()].slice(0, FEED_LIMITS.entriesAPage),
    gone: [...gone].slice(0, FEED_LIMITS.entriesAPage),
    ...defined({ next }),
  };
}

function serverOf(record: unknown): { readonly server: JsonObject; readonly isActive: boolean } {
  if (!isObject(record)) return { server: {}, isActive: false };
  const server = isObject(record['server']) ? record['server'] : record;
  return { server, isActive: !isDeleted(record) };
}

const REMOTES_MAX = 10;

function remotesOf(server: JsonObject): readonly FeedEntry[] {
  const name = cleanLine(server['name'], NAME_LENGTH_MAX);
  const remotes = listOf(server['remotes']).slice(0, REMOTES_MAX);
  return remotes.flatMap((remote) => entryOf(isObject(remote) ? remote['url'] : '', 'mcp', name));
}

function isDeleted(record: JsonObject): boolean {
  const metas = isObject(record['_meta']) ? Object.values(record['_meta']) : [];
  return metas.some((meta) => isObject(meta) && meta['status'] === 'deleted');
}

/** The discovery list of a facilitator, of version 1 and 2. */
function readX402(text: string, { cursor = '0' }: { readonly cursor?: string }) {
  const body = parseUntrustedJson(text);
  const items = isObject(body) ? (body['items'] ?? body['resources']) : undefined;
  if (!isObject(body) || !Array.isArray(items)) {
    return { fault: 'It is not the JSON of an x402 discovery list, which has `items`.' };
  }
  const entries = items.flatMap((item: unknown) => {
    if (!isObject(item)) return [];
    const resource = isObject(item['resource']) ? item['resource']['url'] : item['resource'];
    const kind = item['type'] === 'mcp' ? 'mcp' : undefined;
    return entryOf(resource, kind, cleanLine(item['serviceName'], NAME_LENGTH_MAX));
  });
  const pagination = isObject(body['pagination']) ? body['pagination'] : {};
  const offset = Number(cursor) + items.length;
  const total = pagination['total'];
  const more = items.length > 0 && typeof total === 'number' && offset < total;
  return {
    entries,
    skipped: items.length - entries.length,
    ...(more && { next: `${offset}` }),
  };
}

/** The lines of another hub's `agents.ndjson`; its last line is the cursor. */
function readHub(text: string, asked: { readonly url: string }): FeedPage | FeedFault {
  const lines = text.split('\n').filter((line) => line !== '');
  const items = lines.map(parseUntrustedJson);
  const [head] = items;
  const end = items.at(-1);
  if (!isObject(head) || head['line'] !== 'hub' || !isObject(end) || end['line'] !== 'cursor') {
    return { fault: 'It is not the feed of a hub: a line `hub` first and a line `cursor` last.' };
  }
  const agents = items.slice(1, -1).map((item) => (isObject(item) ? item['agent'] : undefined));
  const entries = agents.flatMap((agent) => {
    if (!isObject(agent)) return [];
    const kind = agent['kind'] === 'a2a' || agent['kind'] === 'mcp' ? agent['kind'] : undefined;
    return entryOf(agent['endpoint'], kind, cleanLine(agent['name'], NAME_LENGTH_MAX));
  });
  const skipped = agents.length - entries.length;
  const next = textOf(end['next']);
  if (next !== undefined && !isSameList(next, asked.url)) {
    return { fault: 'Its cursor leads to another address.' };
  }
  if (next === undefined) return { entries, skipped };
  return end['complete'] === true ? { entries, skipped, resume: next } : { entries, skipped, next };
}

function isSameList(next: string, url: string): boolean {
  if (!URL.canParse(next)) return false;
  const [theirs, ours] = [new URL(next), new URL(url)];
  return theirs.origin === ours.origin && theirs.pathname === ours.pathname;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
