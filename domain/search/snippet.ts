import { parseQuery } from './query.ts';
import { wordsOf } from '../analysis/words.ts';
import { head } from '../text.ts';

/** The part of a text that shows why it was found: from just before the first word asked for. */
const SNIPPET_LENGTH = 240;
const BEFORE = 60;

/** Cuts snippets for one query, which is taken apart once for all of them. */
export function snippetsFor(query: string): (text: string) => string {
  let asked: ReadonlySet<string> | undefined;
  return (text) => {
    const flat = text.replace(/\s+/g, ' ').trim();
    if (flat.length <= SNIPPET_LENGTH) return flat;
    asked ??= new Set(
      parseQuery(query).queryTerms.flatMap(({ term, others, forms, meanings }) => [
        term,
        ...others,
        ...forms(),
        ...meanings(),
      ]),
    );
    return around(flat, firstOf(flat, asked));
  };
}

/** Where the first word that was asked for begins; the beginning when none is there. */
function firstOf(flat: string, asked: ReadonlySet<string>): number {
  let at = 0;
  for (const word of flat.split(' ')) {
    if (wordsOf(word, 4).some(({ stem }) => asked.has(stem))) return at;
    at += word.length + 1;
  }
  return 0;
}

function around(flat: string, at: number): string {
  if (at <= BEFORE) return `${whole(head(flat, SNIPPET_LENGTH))}…`;
  const start = flat.indexOf(' ', at - BEFORE) + 1;
  const cut = head(flat.slice(start), SNIPPET_LENGTH);
  return `…${start + SNIPPET_LENGTH < flat.length ? `${whole(cut)}…` : cut}`;
}

function whole(text: string): string {
  const end = text.lastIndexOf(' ');
  return end > 0 ? text.slice(0, end) : text;
}
