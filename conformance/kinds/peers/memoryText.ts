// The ten best by BM25 of 10,000 notes for any of three words: the hub's tables against SQLite's
// FTS5, interleaved and equally durable. Then the worst case: 32 words in all notes of 4 MB.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { readSpace } from '../../../db/memory/spaces.ts';
import { addWords, searchWords } from '../../../db/memory/words.ts';
import { openStore } from '../../../db/store.ts';
import { askedWords, noteWords } from '../../../domain/memory/words.ts';
import { randomFrom } from '../simulate/random.ts';
import { watchLoop } from '../../harness/loopWork.ts';

const NOTES = 10_000;
const WORDS_A_NOTE = 40;
const VOCABULARY = 20_000;
const LIMIT = 10;
const ROUNDS = 5;
const SEARCHES = 60;
const ROWS_AT_ONCE = 50;
const OWNER = 'key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';
const SYLLABLES = 'ba ke li mo nu ra se ti vo zu'.split(' ');

const random = randomFrom(5);
/** A word of the vocabulary; the first ones are in most notes, as in a language. */
function word(): string {
  let rank = Math.floor(VOCABULARY ** (random.below(10_000) / 10_000));
  let text = '';
  for (; rank > 0; rank = Math.floor(rank / SYLLABLES.length)) {
    text += SYLLABLES[rank % SYLLABLES.length] ?? '';
  }
  return text;
}
const contents = Array.from({ length: NOTES }, () =>
  Array.from({ length: WORDS_A_NOTE }, word).join(' '),
);

const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'));
const store = await openStore(`sqlite:${join(folder, 'hub.sqlite')}`);
async function fill(space: number, notes: readonly string[]): Promise<void> {
  await store.write(async (tx) => {
    const words = notes.length * WORDS_A_NOTE;
    const sums = { notes: notes.length, embedded: 0, words, bytes: 1, changes: notes.length };
    await tx.knex('memory_spaces').insert({
      no: space,
      id: `bench${space}`,
      owner: OWNER,
      name: `b${space}`,
      kind: 'private',
      ...sums,
      created_at: 0,
    });
    const first = space * NOTES;
    const rows = notes.map((content, n) => ({
      no: first + n,
      id: `n${first + n}`,
      space,
      author: OWNER,
      content,
      digest: `${n}`,
      bytes: 1,
      words: WORDS_A_NOTE,
      changed: n + 1,
      at: 0,
    }));
    for (let from = 0; from < notes.length; from += ROWS_AT_ONCE) {
      await tx.knex('notes').insert(rows.slice(from, from + ROWS_AT_ONCE));
    }
    for (const [n, content] of notes.entries()) {
      await addWords(tx, space, first + n, noteWords(content).words);
    }
  });
}
const common = Array.from({ length: WORDS_A_NOTE }, (_, n) => `common${n}x`);
await fill(1, contents);
await fill(
  2,
  contents.map(() => common.join(' ')),
);
async function find(space: number, text: string): Promise<number> {
  const found = await store.read(async (db) => {
    const read = await readSpace(db, `bench${space}`);
    return read === undefined ? [] : searchWords(db, read, askedWords(text), LIMIT);
  });
  return found.length;
}
const fts = new sqlite3.Database(join(folder, 'fts.sqlite'));
const ask = (sql: string, values: readonly unknown[] = []): Promise<readonly object[]> =>
  new Promise((resolve, reject) => {
    fts.all<object>(sql, values, (error, rows) => (error === null ? resolve(rows) : reject(error)));
  });
await ask('PRAGMA journal_mode=WAL');
await ask(`CREATE VIRTUAL TABLE notes USING fts5(content, tokenize='porter unicode61')`);
await ask('BEGIN');
for (const content of contents) await ask('INSERT INTO notes (content) VALUES (?)', [content]);
await ask('COMMIT');

const peers: Readonly<Record<string, (text: string) => Promise<number>>> = {
  hub: (text) => find(1, text),
  async FTS5(text) {
    const match = text.split(' ').join(' OR ');
    const sql = `SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT ${LIMIT}`;
    return (await ask(sql, [match])).length;
  },
};
const times = new Map(Object.keys(peers).map((name) => [name, [] as number[]]));
const found = new Map(Object.keys(peers).map((name) => [name, 0]));
for (let round = 0; round <= ROUNDS; round += 1) {
  const texts = Array.from({ length: SEARCHES }, () => `${word()} ${word()} ${word()}`);
  for (const [name, search] of Object.entries(peers)) {
    for (const text of texts) {
      const began = performance.now();
      const count = await search(text);
      if (round === 0) continue;
      times.get(name)?.push(performance.now() - began);
      found.set(name, (found.get(name) ?? 0) + count);
    }
  }
}
const line = (text: string): void => void process.stdout.write(`${text}\n`);
line(`text search of ${NOTES} notes of ${WORDS_A_NOTE} words, three words`);
for (const [name, spent] of times) {
  const sorted = spent.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => sorted[Math.floor(sorted.length * share)] ?? 0);
  line(`  ${name}: p50 ${p50?.toFixed(2)} ms, p99 ${p99?.toFixed(2)} ms, ${found.get(name)} found`);
}
const spent: number[] = [];
const loop = watchLoop();
for (let search = 0; search < ROUNDS * 2; search += 1) {
  const began = performance.now();
  await find(2, common.join(' '));
  spent.push(performance.now() - began);
}
const most = loop.end();
const middle = spent.sort((a, b) => a - b)[Math.floor(spent.length / 2)] ?? 0;
line('text search of 10000 notes for 32 words that all of them have');
line(`  hub: p50 ${middle.toFixed(0)} ms, most processor time of one turn ${most.toFixed(2)} ms`);
fts.close();
await store.close();
await rm(folder, { recursive: true, force: true });
