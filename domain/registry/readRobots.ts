import { defined } from '../defined.ts';

/**
 * robots.txt by RFC 9309 (choices registry.crawl): the groups that name the crawler, else `*`,
 * count together; the longest matching path wins, and `allow` at the same length.
 */
type RobotsRule = 'allowed' | 'partly' | 'forbidden' | 'absent' | 'unreadable';

export interface Robots {
  readonly rule: RobotsRule;
  readonly crawlDelaySeconds?: number;
  mayFetch(pathAndQuery: string): boolean;
}

interface Line {
  readonly allow: boolean;
  /** The texts between the asterisks of its path, in the form in which paths are compared. */
  readonly pieces: readonly string[];
  /** The path ends with `$`: nothing may follow. */
  readonly isWhole: boolean;
  /** Octets of the path; the longest line that matches wins. */
  readonly length: number;
}

/** As much of the file as is read; RFC 9309 asks for 500 KiB. */
const ROBOTS_CHARACTERS_MAX = 512_000;
const LINES_MAX = 20_000;
const DELAY_SECONDS_MAX = 86_400;

/** 4xx means no rules; 5xx, 429 and silence forbid everything (RFC 9309 2.3.1). */
export function robotsOfStatus(status: number | undefined): Robots {
  const isAbsent = status !== undefined && status >= 400 && status < 500 && status !== 429;
  return isAbsent
    ? { rule: 'absent', mayFetch: () => true }
    : { rule: 'unreadable', mayFetch: () => false };
}

export function readRobots(text: string, robot: string): Robots {
  const { lines, crawlDelaySeconds } = groupFor(text.slice(0, ROBOTS_CHARACTERS_MAX), robot);
  const mayFetch = (pathAndQuery: string): boolean => {
    const path = comparable(pathAndQuery.replaceAll('*', '%2A'));
    let best = { allow: true, length: -1 };
    for (const line of lines) {
      if (!matches(line, path)) continue;
      const { allow, length } = line;
      const wins = length > best.length || (length === best.length && allow);
      if (wins) best = { allow, length };
    }
    return best.allow;
  };
  const forbids = lines.some(({ allow }) => !allow);
  const allows = lines.some(({ allow }) => allow);
  const rule = !forbids ? 'allowed' : mayFetch('/') || allows ? 'partly' : 'forbidden';
  return { rule, ...defined({ crawlDelaySeconds }), mayFetch };
}

interface Group {
  readonly lines: readonly Line[];
  readonly crawlDelaySeconds?: number;
}

/**
 * Reads the group of a robot. Only `allow` and `disallow` end a group's list of names, so that no
 * other record interferes, wherever it stands (RFC 9309 2.2.4).
 */
function groupFor(text: string, robot: string): Group {
  const groups = new Map<string, { lines: Line[]; delay?: number }>();
  let current: string[] = [];
  let isNaming = false;
  for (const raw of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/, LINES_MAX)) {
    const { name, value } = recordOf(raw);
    if (name === 'user-agent') {
      const agent = productToken(value);
      current = isNaming ? [...current, agent] : [agent];
      if (!groups.has(agent)) groups.set(agent, { lines: [] });
      isNaming = true;
      continue;
    }
    const isRule = name === 'allow' || name === 'disallow';
    if (isRule) isNaming = false;
    const line = isRule && value !== '' ? lineOf(name === 'allow', value) : undefined;
    const isDelay = name === 'crawl-delay' && /^\d{1,9}(\.\d+)?$/.test(value);
    for (const agent of current) {
      const group = groups.get(agent);
      if (group === undefined) continue;
      if (line !== undefined) group.lines.push(line);
      if (isDelay) group.delay = Math.min(DELAY_SECONDS_MAX, Math.ceil(Number(value)));
    }
  }
  const own = groups.get(robot.toLowerCase()) ?? groups.get('*') ?? { lines: [] };
  return {
    lines: own.lines,
    ...defined({ crawlDelaySeconds: own.delay }),
  };
}

function recordOf(raw: string): { readonly name: string; readonly value: string } {
  const comment = raw.indexOf('#');
  const line = comment < 0 ? raw : raw.slice(0, comment);
  const colon = line.indexOf(':');
  if (colon < 0) return { name: '', value: '' };
  return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
}

/** The name of a crawler without its version (RFC 9309 2.2.1). */
function productToken(value: string): string {
  return /^(?:\*|[a-z_-]+)/.exec(value.toLowerCase())?.[0] ?? '';
}

function lineOf(allow: boolean, value: string): Line {
  const isWhole = value.endsWith('$');
  const path = comparable(isWhole ? value.slice(0, -1) : value);
  return { allow, pieces: path.split('*'), isWhole, length: path.length + (isWhole ? 1 : 0) };
}

const OCTET_OR_MARK = /%[0-9a-f]{2}|[^\x21-\x7e]|[$:/?@]/giu;
const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * The form in which paths are compared (RFC 9309 2.2.2): unreserved characters stand for themselves,
 * all others outside of ASCII are octets. In a query `:`, `/`, `?` and `@` delimit nothing, so they
 * equal their octets there. An asterisk stays; that of an address is escaped beforehand.
 */
function comparable(path: string): string {
  const query = path.indexOf('?');
  return path.replace(OCTET_OR_MARK, (found, at: number) => {
    if (found.length === 3 && found.startsWith('%')) {
      const character = String.fromCharCode(parseInt(found.slice(1), 16));
      return UNRESERVED.test(character) ? character : found.toUpperCase();
    }
    if (found === '$') return '%24';
    if (found.length === 1 && ':/?@'.includes(found)) {
      return query >= 0 && at > query ? octets(found) : found;
    }
    return octets(found);
  });
}

function octets(text: string): string {
  const hex = Buffer.from(text, 'utf8').toString('hex').toUpperCase();
  return hex.replace(/../g, '%$&');
}

/** A path with `*` for anything and `$` for the end; matched piece by piece, so never slowly. */
function matches({ pieces, isWhole }: Line, path: string): boolean {
  const [first = '', ...others] = pieces;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, piece] of others.entries()) {
    const isLast = index === others.length - 1;
    const found =
      isLast && isWhole
        ? path.endsWith(piece) && path.length - piece.length >= at
          ? path.length - piece.length
          : -1
        : path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !isWhole || at === path.length;
}
