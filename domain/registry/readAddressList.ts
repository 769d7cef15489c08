import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import type { ListingKind } from './listing.ts';
import { entryOf, type FeedEntry, type FeedFault, type FeedPage } from './feedEntry.ts';
import { parseUntrustedJson } from './readJson.ts';
import { cleanLine } from './text.ts';

/**
 * A feed that is one document: an AI Catalog, a list of card addresses as JSON, a sitemap, or text
 * with one address a line. What it is shows in its first letters, whatever its media type says.
 */
const NAME_LENGTH_MAX = 200;

export function readAddressList(text: string): FeedPage | FeedFault {
  const body = text.replace(/^\ufeff/, '').trimStart();
  if (/^[[{]/.test(body)) return readJsonList(body);
  if (body.startsWith('<')) return readSitemap(body);
  return readLines(body);
}

function readJsonList(text: string): FeedPage | FeedFault {
  const body = parseUntrustedJson(text);
  if (body === undefined) return { fault: 'It begins like JSON and is not JSON.' };
  const lists = isObject(body)
    ? [body['entries'], body['agents'], body['cards'], body['urls']]
    : [body];
  const items = lists.find(Array.isArray) as readonly unknown[] | undefined;
  if (items === undefined) {
    return { fault: 'It is JSON without `entries`, `agents`, `cards` or `urls`.' };
  }
  const found = items.map((item) => {
    if (typeof item === 'string') return entryOf(item, undefined, undefined);
    return isObject(item) ? catalogEntries(item) : [];
  });
  return { entries: found.flat(), skipped: found.filter(({ length }) => length === 0).length };
}

/** An entry of an AI Catalog by its media type, or an object with an address. */
function catalogEntries(item: JsonObject): readonly FeedEntry[] {
  const type = item['mediaType'] ?? item['type'];
  const kind = typeof type === 'string' ? kindOf(type) : undefined;
  if (typeof type === 'string' && type.includes('catalog')) return [];
  const name = cleanLine(item['displayName'] ?? item['name'], NAME_LENGTH_MAX);
  if (isObject(item['data'])) return cardEntries(item['data'], kind, name);
  const url = item['url'] ?? item['cardUrl'] ?? item['agentCardUrl'];
  // A server card lies beside the server and is no endpoint: it is read, and names the server.
  if (kind === 'mcp' && url !== undefined) return entryOf(url, undefined, name);
  return url === undefined ? cardEntries(item, kind, name) : entryOf(url, kind, name);
}

function cardEntries(
  card: JsonObject,
  kind: ListingKind | undefined,
  name: string | undefined,
): readonly FeedEntry[] {
  const places = [...listOf(card['remotes']), ...listOf(card['supportedInterfaces'])];
  const first = places.find(isObject);
  const url = first?.['url'] ?? card['url'];
  if (kind !== 'a2a') return entryOf(url, kind, name);
  // An A2A endpoint is found by the card of its origin.
  if (typeof url !== 'string' || !URL.canParse(url)) return [];
  return entryOf(`${new URL(url).origin}/`, 'a2a', name);
}

function kindOf(mediaType: string): ListingKind | undefined {
  if (/a2a/i.test(mediaType)) return 'a2a';
  return /mcp/i.test(mediaType) ? 'mcp' : undefined;
}

function readSitemap(text: string): FeedPage | FeedFault {
  if (/<sitemapindex[\s>]/.test(text)) {
    return { fault: 'It is an index of sitemaps; add each sitemap as a feed of its own.' };
  }
  if (!/<urlset[\s>]/.test(text)) return { fault: 'It is HTML or XML, and no sitemap.' };
  const found = [...text.matchAll(/<loc>\s*([^<]{1,4096}?)\s*<\/loc>/g)].map(([, address]) =>
    entryOf((address ?? '').replaceAll('&amp;', '&'), undefined, undefined),
  );
  return { entries: found.flat(), skipped: found.filter(({ length }) => length === 0).length };
}

function readLines(text: string): FeedPage | FeedFault {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const found = lines.map((line) => entryOf(line, undefined, undefined));
  const entries = found.flat();
  if (lines.length > 0 && entries.length === 0) {
    return { fault: 'It is text without an address.' };
  }
  return { entries, skipped: found.filter(({ length }) => length === 0).length };
}
