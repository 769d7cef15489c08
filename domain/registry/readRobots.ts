import { defined } from '../defined.ts';

/**
 * robots.txt as RFC 9309 has it (choices registry.crawl): the groups that name the crawler count
 * together, else those of `*`; the longest matching path wins, and at the same length the one that
 * allows.
 */
export type RobotsRule = 'allowed' | 'partly' | 'forbidden' | 'absent' | 'unreadable';

export interface Robots {
  readonly rule: RobotsRule;
  readonly crawlDelaySeconds?: number;
  mayFetch(pathAndQuery: string): boolean;
}

interface Line {
  readonly allow: boolean;
  readonly path: string;
}

/** As much of the file as is read; RFC 9309 asks for 500 KiB. */
export const ROBOTS_CHARACTERS_MAX = 512_000;
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
    let best = { allow: true, length: -1 };
    for (const { allow, path } of lines) {
      if (!matches(path, pathAndQuery)) continue;
      const wins = path.length > best.length || (path.length === best.length && allow);
      if (wins) best = { allow, length: path.length };
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

function groupFor(text: string, robot: string): Group {
  const groups = new Map<string, { lines: Line[]; delay?: number }>();
  let current: string[] = [];
  let isNaming = false;
  for (const raw of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/, LINES_MAX)) {
    const [, field = '', value = ''] =
      /^\s*([A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(raw.replace(/#.*/, '')) ?? [];
    const name = field.toLowerCase();
    if (name === 'user-agent') {
      const agent = value.toLowerCase();
      current = isNaming ? [...current, agent] : [agent];
      if (!groups.has(agent)) groups.set(agent, { lines: [] });
      isNaming = true;
      continue;
    }
    if (name === '') continue;
    isNaming = false;
    for (const agent of current) {
      const group = groups.get(agent);
      if (group === undefined) continue;
      if ((name === 'allow' || name === 'disallow') && value !== '') {
        group.lines.push({ allow: name === 'allow', path: value });
      }
      if (name === 'crawl-delay' && /^\d{1,9}(\.\d+)?$/.test(value)) {
        group.delay = Math.min(DELAY_SECONDS_MAX, Math.ceil(Number(value)));
      }
    }
  }
  const own = groups.get(robot.toLowerCase()) ?? groups.get('*') ?? { lines: [] };
  return {
    lines: own.lines,
    ...defined({ crawlDelaySeconds: own.delay }),
  };
}

/** A path with `*` for anything and `$` for the end; matched piece by piece, so never slowly. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
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
