import type { Term } from '../../domain/search/plan.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { openDictionary, type Dictionary } from './memory.ts';

/** The terms of the index as one reading sees them; what was asked before is not read again. */
export interface Terms {
  /** Those of the given words that are terms. */
  named(words: Iterable<string>): Promise<ReadonlyMap<string, Term>>;
  /** The most common ones that begin so. */
  beginningWith(beginning: string): Promise<readonly Term[]>;
  /** Those that have one of the forms of a word (`shortened`). */
  withFormOf(word: string, forms: readonly string[]): Promise<readonly Term[]>;
}

const COLUMNS = 'id, term, changed, agents, skills, tasks, comments';
const CHANGES = statement('SELECT changes FROM search_index');
const NAMED = inListStatement((given) => `SELECT ${COLUMNS} FROM search_terms WHERE term ${given}`);
const BEGINNING = statement(`
  SELECT ${COLUMNS} FROM search_terms WHERE term >= ? AND term < ? AND agents + skills + tasks +
    comments > 0
  ORDER BY agents + skills + tasks + comments DESC, term LIMIT ?`);
const WITH_FORM = inListStatement(
  (given) => `SELECT DISTINCT ${COLUMNS} FROM search_shortened AS s
    JOIN search_terms AS t ON t.id = s.term_id WHERE s.shortened ${given}`,
);

const BEGINNING_MAX = 4;
/** Answers that are kept, of about 250 bytes; then all are forgotten, as when the index changes. */
const ANSWERS_MAX = 20_000;

export async function openTerms(db: Reader): Promise<Terms> {
  const { answers } = await dictionaryOf(db);
  const keep = (asked: string, terms: readonly Term[]): readonly Term[] => {
    if (answers.size >= ANSWERS_MAX) answers.clear();
    answers.set(asked, terms);
    return terms;
  };
  return {
    async named(words) {
      const found = new Map<string, Term>();
      const unknown: string[] = [];
      for (const word of new Set(words)) {
        const known = answers.get(`= ${word}`);
        if (known === undefined) unknown.push(word);
        for (const term of known ?? []) found.set(word, term);
      }
      if (unknown.length === 0) return found;
      for (const row of await linkOf(db).rows(NAMED, [unknown])) {
        const term = termOf(row);
        found.set(term.term, term);
      }
      for (const word of unknown) {
        const term = found.get(word);
        keep(`= ${word}`, term === undefined ? [] : [term]);
      }
      return found;
    },
    async beginningWith(beginning) {
      const asked = `${beginning} ...`;
      // Above every letter that a word may go on with.
      const values = [beginning, `${beginning}\u{10ffff}`, BEGINNING_MAX];
      return (
        answers.get(asked) ?? keep(asked, (await linkOf(db).rows(BEGINNING, values)).map(termOf))
      );
    },
    async withFormOf(word, forms) {
      const asked = `~ ${word}`;
      return (
        answers.get(asked) ?? keep(asked, (await linkOf(db).rows(WITH_FORM, [forms])).map(termOf))
      );
    },
  };
}

/** What is remembered of the dictionary as this reading sees it; nothing in an older reading. */
async function dictionaryOf(db: Reader): Promise<Dictionary> {
  if (db.search === undefined) return openDictionary(0);
  const [row] = await linkOf(db).rows(CHANGES, []);
  if (row === undefined) throw new Error('the index has lost its row');
  const changes = column.whole(row, 'changes');
  if (changes > db.search.dictionary.changes) db.search.dictionary = openDictionary(changes);
  const { dictionary } = db.search;
  return dictionary.changes === changes ? dictionary : openDictionary(changes);
}

function termOf(row: Row): Term {
  return {
    id: column.whole(row, 'id'),
    term: column.text(row, 'term'),
    changed: column.whole(row, 'changed'),
    documents: ['agents', 'skills', 'tasks', 'comments'].map((name) => column.whole(row, name)),
  };
}
