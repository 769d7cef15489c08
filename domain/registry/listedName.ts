import { tokensOf, type Token } from '../injection/tokens.ts';

/**
 * A name as lists show it (choices registry.names): a server cannot give itself the hub's words,
 * marks or badges. What is left out stays readable as the given name.
 */
const MARKS =
  /[\p{Extended_Pictographic}\u2190-\u21ff\u221a\u2500-\u27bf\u2900-\u297f\u2b00-\u2bff\ufe0e\ufe0f\u20e3]/gu;
const KEPT_MARKS = /[©®™]/u;
const GRANTS = new Set(
  (
    'verified certified approved endorsed audited trusted recommended vetted reviewed proved ' +
    'attested'
  ).split(' '),
);
/** Words that belong to such a word before them: `officially verified`, `hub verified`. */
const BEFORE = new Set(['officially', 'fully', 'independently', 'domain', 'hub']);
const BY = new Set(['by', 'on', 'at', 'from', 'via']);
const HUB = ['agent', 'exchange', 'hub'];
const IS_NAME = /[\p{L}\p{N}]/u;
const EMPTY_BRACKETS = /[([{<]\s*[)\]}>]/gu;
const EDGES = /^[\s\-–—:|,;·•/]+|[\s\-–—:|,;·•/([{<]+$/gu;
/** A separator that lost the word before it. */
const DOUBLED = /([|,;:·•–—-])\s+[,;:]\s*/gu;
const SEGMENT_END = /[)\]}>|,;·•]|\s[-–—]\s/u;

/** Undefined when nothing is left that is a name. */
export function listedName(given: string): string | undefined {
  const plain = given.replace(MARKS, (mark) => (KEPT_MARKS.test(mark) ? mark : ' '));
  const cuts = cutsIn(plain, tokensOf(plain));
  if (plain === given && cuts.length === 0) return IS_NAME.test(given) ? given : undefined;
  let name = '';
  let end = 0;
  for (const [from, to] of cuts) {
    if (from > end) name += plain.slice(end, from);
    end = Math.max(end, to);
  }
  name += plain.slice(end);
  const tidy = name.replace(EMPTY_BRACKETS, ' ').replace(/\s+/gu, ' ').trim();
  const edged = tidy.replace(DOUBLED, '$1 ').replace(EDGES, '');
  return IS_NAME.test(edged) ? edged : undefined;
}

type Cut = readonly [from: number, to: number];

function cutsIn(text: string, tokens: readonly Token[]): readonly Cut[] {
  return tokens.flatMap((token, at): readonly Cut[] => {
    const next = tokens[at + 1];
    const { word, start, end } = token;
    if (GRANTS.has(word)) {
      let first = at;
      while (BEFORE.has(tokens[first - 1]?.word ?? '')) first -= 1;
      const from = tokens[first]?.start ?? start;
      if (next !== undefined && BY.has(next.word)) return [[from, segmentEnd(text, next.end)]];
      // Beside the name, in brackets, before a colon or behind it, it is a badge; within it a word.
      const isBadge = first === 0 ? isTitle(text, end) : next === undefined;
      if (isBadge || isBracketed(text, { start: from, end })) return [[from, end]];
    }
    if (word === 'karma' && next !== undefined && isNumber(text, next)) {
      return [
        [start, next.end + (/^(?:[.,'’ ]\p{N}{3})+/u.exec(text.slice(next.end))?.[0] ?? '').length],
      ];
    }
    if (next?.word === 'karma' && isNumber(text, token)) {
      const before = /(?:\p{N}{1,3}[.,'’ ])+$/u.exec(text.slice(0, start))?.[0] ?? '';
      return [[start - before.length, next.end]];
    }
    if (word === HUB.join('')) return [[start, end]];
    const last = tokens[at + HUB.length - 1];
    const isHub = HUB.every((each, nth) => tokens[at + nth]?.word === each);
    return isHub && last !== undefined ? [[start, last.end]] : [];
  });
}

function segmentEnd(text: string, from: number): number {
  const found = SEGMENT_END.exec(text.slice(from));
  return found === null ? text.length : from + found.index;
}

/** Whether what follows sets the words before it apart from the name. */
function isTitle(text: string, end: number): boolean {
  return /^\s*(?:[:|·•]|[-–—]\s)/u.test(text.slice(end));
}

function isBracketed(text: string, { start, end }: Pick<Token, 'start' | 'end'>): boolean {
  return /[([{<]\s*$/u.test(text.slice(0, start)) && /^\s*[)\]}>]/u.test(text.slice(end));
}

function isNumber(text: string, { start, end }: Token): boolean {
  return /^\p{N}+$/u.test(text.slice(start, end));
}
