import { isObject, listOf } from '../jsonObject.ts';
import { readAddressList } from './readAddressList.ts';

const SERVERS_MAX = 10;

/**
 * Addresses at the same origin that a document names: a card of an MCP server, in the form of
 * `server.json` or with its transport beside `serverInfo`, or the entries of an AI Catalog. What it
 * says of a server is no more than a proposal, which the server itself has to answer.
 */
export function serversNamedIn(body: unknown, text: string, at: string): readonly string[] {
  if (!isObject(body)) return [];
  const found = Array.isArray(body['entries']) ? entriesIn(text) : cardAddresses(body);
  const { origin } = new URL(at);
  const urls = found.flatMap((each) => {
    if (typeof each !== 'string' || !URL.canParse(each, at)) return [];
    const url = new URL(each, at);
    url.hash = '';
    return url.origin === origin && url.href !== at ? [url.href] : [];
  });
  return [...new Set(urls)].slice(0, SERVERS_MAX);
}

function cardAddresses(card: Readonly<Record<string, unknown>>): readonly unknown[] {
  const remotes = listOf(card['remotes']).map((each) => isObject(each) && each['url']);
  if (remotes.length > 0) return remotes;
  if (!isObject(card['serverInfo'])) return [];
  const transports = [card['transport'], ...listOf(card['transports'])].filter(isObject);
  return transports.map((each) => each['endpoint'] ?? each['url']);
}

function entriesIn(text: string): readonly string[] {
  const page = readAddressList(text);
  if ('fault' in page) return [];
  return page.entries
    .filter(({ url, kind }) => kind !== 'a2a' && new URL(url).pathname !== '/')
    .map(({ url }) => url);
}
