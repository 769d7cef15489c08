import { parseQuery } from './query.ts';
import { wordsOf } from './words.ts';

/** The part of a text that shows why it was found: from a little before the first word asked for. */
const SNIPPET_LENGTH = 240;
const BEFORE = 60;

export function snippetOf(text: string, query: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat.length <= SNIPPET_LENGTH) return flat;
  const asked = new Set(parseQuery(query).ideas.flatMap(({ term, others }) => [term, ...others]));
  const at = flat.split(' ').reduce<{ readonly found: number; readonly next: number }>(
    ({ found, next }, word) => {
      const hit = found < 0 && wordsOf(word, 4).some(({ stem }) => asked.has(stem));
      return { found: hit ? next : found, next: next + word.length + 1 };
    },
    { found: -1, next: 0 },
  ).found;
  if (at <= BEFORE) return `${whole(flat.slice(0, SNIPPET_LENGTH))}…`;
  const start = flat.indexOf(' ', at - BEFORE) + 1;
  const cut = flat.slice(start, start + SNIPPET_LENGTH);
  return `…${start + SNIPPET_LENGTH < flat.length ? `${whole(cut)}…` : cut}`;
}

/** Up to the last whole word. */
function whole(text: string): string {
  const end = text.lastIndexOf(' ');
  return end > 0 ? text.slice(0, end) : text;
}
