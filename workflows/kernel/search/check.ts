import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reader } from '../../../db/connection.ts';
import { indexPage, indexState } from '../../../db/search/rows.ts';
import { lastSnapshot, type Snapshot } from '../../../db/search/snapshots.ts';
import { openDocumentStore } from '../../../domain/search/documentStore.ts';
import type { IndexRow } from '../../../domain/search/found.ts';
import { openIndex, type IndexState, type SearchIndex } from '../../../domain/search/index.ts';
import { KINDS } from '../../../domain/search/plan.ts';
import { parseQuery } from '../../../domain/search/query.ts';
import { eachTerm } from '../../../domain/search/terms.ts';
import type { FileStore } from '../files/fileStore.ts';
import { digestOf, SNAPSHOT_FORM } from './snapshots.ts';
import { readState } from './stateFile.ts';

/**
 * Compares the index that a start would load, the newest snapshot with the changes since, with the
 * documents of the database. It reads alone, and needs the memory of one index (choices search.check).
 */
export interface SearchCheck {
  /** Documents of the database. */
  readonly documents: number;
  /** Things that wait to be indexed, counted up to 128. */
  readonly queued: number;
  readonly snapshot: 'none' | 'read' | 'unreadable';
  /** Documents that the index lacks or has with other words. */
  readonly missing: readonly string[];
  /** Documents of the index that the database lacks. */
  readonly surplus: readonly string[];
  /** Documents that were searched by their rarest word, and those of them that were not found. */
  readonly searched: number;
  readonly notFound: readonly string[];
}

const PAGE = 1_000;
const SAMPLE = 200;
/** A word of so few documents puts each of them among the first hits. */
const RARE_MAX = 3;
const HITS_MAX = 100;

export async function checkSearch(db: Reader, files: FileStore): Promise<SearchCheck> {
  const { queued } = await indexState(db);
  const last = await lastSnapshot(db, SNAPSHOT_FORM);
  const restored = last && (await restore(files, last));
  const index = openIndex(restored);
  const isRead = restored !== undefined;
  await eachPage(db, isRead ? (last?.seq ?? 0) : 0, (rows) => index.take(rows));
  const documents = await documentsOf(db);
  return {
    documents: documents.digests.size,
    queued,
    snapshot: isRead ? 'read' : last === undefined ? 'none' : 'unreadable',
    ...differences(index, documents),
    ...searchSample(index, documents),
  };
}

/** The state of a snapshot; undefined when its file is missing or damaged. */
async function restore(files: FileStore, { object }: Snapshot): Promise<IndexState | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-search-'));
  try {
    const path = join(folder, 'snapshot');
    await files.copy(object, path);
    return readState(path, digestOf(object));
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function eachPage(
  db: Reader,
  after: number,
  take: (rows: readonly IndexRow[]) => void,
): Promise<void> {
  for (let known = after; ;) {
    const { rows, count, until } = await indexPage(db, known, PAGE);
    if (count === 0) return;
    take(JSON.parse(rows) as readonly IndexRow[]);
    known = until;
  }
}

interface Documents {
  /** By `nameOf`. */
  readonly digests: ReadonlyMap<string, number>;
  /** By word, the number of documents. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** From `SAMPLE` documents on at least so many of them, evenly over the changes. */
  readonly sample: readonly IndexRow[];
}

async function documentsOf(db: Reader): Promise<Documents> {
  const [digests, frequencies] = [new Map<string, number>(), new Map<string, number>()];
  let [sample, nth, step]: [IndexRow[], number, number] = [[], 0, 1];
  await eachPage(db, 0, (rows) => {
    for (const row of rows) {
      const [kind, ref, part, digest, terms] = row;
      if (terms === '') continue;
      digests.set(nameOf(kind, ref, part), Number.parseInt(digest, 16));
      eachTerm(terms, (word) => frequencies.set(word, (frequencies.get(word) ?? 0) + 1));
      if (nth++ % step === 0) sample.push(row);
      if (sample.length < 2 * SAMPLE) continue;
      sample = sample.filter((_, at) => at % 2 === 0);
      step *= 2;
    }
  });
  return { digests, frequencies, sample };
}

function differences(
  index: SearchIndex,
  { digests }: Documents,
): Pick<SearchCheck, 'missing' | 'surplus'> {
  const state = index.state().documents;
  const { columns, end, ref } = openDocumentStore(state);
  const unused = new Set(state.free);
  const indexed = new Map<string, number>();
  for (let document = 0; document < end; document += 1) {
    if (unused.has(document)) continue;
    const name = nameOf(columns.kind[document] ?? 0, ref(document), columns.part[document] ?? 0);
    indexed.set(name, columns.digest[document] ?? 0);
  }
  return {
    missing: [...digests].flatMap(([name, digest]) => (indexed.get(name) === digest ? [] : name)),
    surplus: [...indexed.keys()].filter((name) => !digests.has(name)),
  };
}

/** Searches the documents of the sample, each by its rarest word. */
function searchSample(
  index: SearchIndex,
  { sample, frequencies }: Documents,
): Pick<SearchCheck, 'searched' | 'notFound'> {
  let searched = 0;
  const notFound: string[] = [];
  for (const [kind, ref, part, , terms] of sample) {
    const text = rareWord(terms, frequencies);
    if (text === undefined) continue;
    searched += 1;
    const kinds = KINDS.slice(kind, kind + 1);
    const hits = index.find({ text, kinds, order: 'score', count: HITS_MAX });
    const isFound = hits.some((hit) => hit.ref === ref && hit.part === part);
    if (!isFound) notFound.push(nameOf(kind, ref, part));
  }
  return { searched, notFound };
}

/** The rarest word that a query reads as it stands; undefined when all are frequent. */
function rareWord(terms: string, frequencies: Documents['frequencies']): string | undefined {
  let rarest: string | undefined;
  let least = RARE_MAX + 1;
  eachTerm(terms, (word) => {
    const documents = frequencies.get(word) ?? 0;
    if (documents >= least) return;
    const [only, ...others] = parseQuery(word).queryTerms;
    if (only?.term !== word || others.length > 0) return;
    [rarest, least] = [word, documents];
  });
  return rarest;
}

const nameOf = (kind: number, ref: string, part: number): string =>
  `${KINDS[kind] ?? kind} ${ref}${part === 0 ? '' : `#${part}`}`;
