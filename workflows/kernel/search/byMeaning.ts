import type { Logger } from 'pino';
import { searchModel } from '../../../db/search/models.ts';
import { listingsOfVectors, textVectorsAfter } from '../../../db/search/vectors.ts';
import type { Store } from '../../../db/store.ts';
import { foldPage, type Foldable } from '../../../domain/registry/fold.ts';
import { bonusesOf, NEAREST, type Near } from '../../../domain/search/near.ts';
import { head } from '../../../domain/text.ts';
import type { Clock } from '../clock.ts';
import { inTime } from '../inTime.ts';
import { logFailure } from '../logFailure.ts';
import type { ModelDesk } from '../models/desk.ts';
import type { PolicyName } from '../policies.ts';
import { putNewest } from '../putNewest.ts';
import type { VectorHit } from '../vectors/protocol.ts';
import { openVectors } from '../vectors/vectors.ts';
import { askVectors, type AskedVectors, type EmbeddingModel } from './embeddings.ts';

/**
 * Search by meaning (choices search.meaning): listings whose vectors are near to that of a query. It
 * waits for a short time and then finds nothing, so that search answers from words.
 */
export interface ByMeaning {
  /** Absent where the operator names none: then nothing is found. */
  readonly model: EmbeddingModel | undefined;
  /** Returns what is near to a query, the nearest first; `address` is whose budget a query takes. */
  near(text: string, address: string): Promise<readonly Near[]>;
  /** Reads vectors into memory, so that no search waits for it. */
  load(model: EmbeddingModel): Promise<void>;
  /** Asks for the vectors of texts of listings. */
  vectorsOf(model: EmbeddingModel, texts: readonly string[]): Promise<AskedVectors>;
  /** How many texts and queries came to which end in this process. */
  figures(): ReadonlyMap<VectorEnd, number>;
  close(): Promise<void>;
}

const VECTOR_ENDS = [
  'text made',
  'text failed',
  'query made',
  'query kept',
  'query late',
  'query limited',
  'query failed',
] as const;
type VectorEnd = (typeof VECTOR_ENDS)[number];

interface Limits {
  look(name: PolicyName, partition: string): { readonly retryAfterSeconds?: number };
  spend(name: PolicyName, partition: string, units: number): unknown;
}

interface Parts {
  readonly store: Store;
  readonly models: ModelDesk;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly limits: Limits;
  readonly log: Logger;
  readonly model: EmbeddingModel | undefined;
}

/** Milliseconds that a search waits for what is near. */
const DEADLINE_MS = 300;
/** After a query that was late, queries are not waited for so long; their vectors are kept. */
const SLOW_MS = 10_000;
/** Queries that are asked for at once. */
const UNDER_WAY_MAX = 16;
/** Vectors of queries that are kept, of at most 16 kB. */
const KEPT_MAX = 2_000;
/** Vectors in memory: one WebAssembly memory holds all of them. */
const BYTES_MAX = 2 ** 31;
/** Nearest vectors of which a few of each operator and group of copies are taken. */
const LOOKED_AT = 400;
/** Numbers of a page of vectors, about 700 KB of text. */
const NUMBERS_PAGE = 122_880;
/** The only space of these vectors. */
const SPACE = 0;
/** The partition of the budget of all addresses together. */
const ALL = 'hub';

export function openByMeaning(parts: Parts): ByMeaning {
  const { store, models, clock, limits, log, model } = parts;
  const vectors = openVectors(BYTES_MAX);
  const kept = new Map<string, Float32Array>();
  const underWay = new Map<string, Promise<Float32Array | undefined>>();
  const figures = new Map<VectorEnd, number>(VECTOR_ENDS.map((end) => [end, 0]));
  let slowUntil = -Infinity;
  const count = (end: VectorEnd, more = 1): void => {
    figures.set(end, (figures.get(end) ?? 0) + more);
  };
  const mayAsk = (address: string): boolean => {
    const budgets = [['meaning', address] as const, ['meanings', ALL] as const];
    const isOver = budgets.some(
      ([name, of]) => limits.look(name, of).retryAfterSeconds !== undefined,
    );
    if (isOver || underWay.size >= UNDER_WAY_MAX) return false;
    for (const [name, of] of budgets) limits.spend(name, of, 1);
    return true;
  };
  const ask = async (of: EmbeddingModel, text: string): Promise<Float32Array | undefined> => {
    const asked = await askVectors(models, of, [text]);
    const [vector] = 'vectors' in asked ? asked.vectors : [];
    count(vector === undefined ? 'query failed' : 'query made');
    if (vector !== undefined) putNewest(kept, [text, vector], KEPT_MAX);
    return vector;
  };
  const vectorOf = (
    of: EmbeddingModel,
    text: string,
    address: string,
  ): Promise<Float32Array | undefined> | undefined => {
    const known = underWay.get(text);
    if (known !== undefined) return known;
    if (of.offer.providers.every((provider) => models.rests(of.offer, provider))) return undefined;
    if (!mayAsk(address)) {
      count('query limited');
      return undefined;
    }
    const asking = ask(of, text)
      .catch((error: unknown) => {
        logFailure(log, error, 'a query got no vector');
        return undefined;
      })
      .finally(() => underWay.delete(text));
    underWay.set(text, asking);
    models.track(asking);
    return asking;
  };
  /** A query that comes later is answered from what is kept. */
  const vectorInTime = async (
    of: EmbeddingModel,
    text: string,
    address: string,
  ): Promise<Float32Array | undefined> => {
    const known = kept.get(text);
    if (known !== undefined) {
      count('query kept');
      putNewest(kept, [text, known], KEPT_MAX);
      return known;
    }
    const asking = vectorOf(of, text, address);
    if (asking === undefined || clock.elapsedMs() < slowUntil) return undefined;
    const ended = await inTime(
      asking.then((vector) => ({ vector })),
      DEADLINE_MS,
    );
    if (ended !== undefined) return ended.vector;
    slowUntil = clock.elapsedMs() + SLOW_MS;
    count('query late');
    return undefined;
  };
  const hitsOf = async (
    { name, dimensions }: EmbeddingModel,
    query: Float32Array,
  ): Promise<readonly VectorHit[]> => {
    const state = await store.readOne((db) => searchModel(db, name));
    if (state === undefined || state.vectors === 0) return [];
    if (state.vectors * dimensions * 4 > BYTES_MAX) return [];
    const most = Math.floor(NUMBERS_PAGE / dimensions);
    return vectors.nearest({
      space: SPACE,
      changes: state.changed,
      embedded: state.vectors,
      query,
      k: LOOKED_AT,
      load: (after) => store.read((db) => textVectorsAfter(db, name, after, most)),
    });
  };
  /** The nearest listings, few of each operator and group of copies. */
  const fewOfEach = async (
    hits: readonly VectorHit[],
  ): Promise<readonly (Foldable & Pick<VectorHit, 'distance'>)[]> => {
    const numbers = hits.map(({ no }) => no);
    const listings = await store.readOne((db) => listingsOfVectors(db, numbers));
    const found = hits.flatMap(({ no, distance }) =>
      (listings.get(no) ?? []).map((each) => ({ ...each, distance })),
    );
    return foldPage(found, NEAREST).shown;
  };
  const nearest = async (of: EmbeddingModel, query: Float32Array): Promise<readonly Near[]> => {
    const hits = await hitsOf(of, query);
    let shown = await fewOfEach(hits.slice(0, NEAREST));
    if (shown.length < NEAREST && hits.length > NEAREST) shown = await fewOfEach(hits);
    const bonuses = bonusesOf(shown.map(({ distance }) => distance));
    return shown.flatMap(({ id }, place) => {
      const bonus = bonuses[place] ?? 0;
      return bonus > 0 ? [{ ref: id, bonus }] : [];
    });
  };
  return {
    model,
    async near(given, address) {
      if (model === undefined) return [];
      const text = head(given.trim().replace(/\s+/g, ' '), model.letters);
      if (text === '') return [];
      try {
        const vector = await vectorInTime(model, text, address);
        if (vector === undefined) return [];
        return (await inTime(nearest(model, vector), DEADLINE_MS)) ?? [];
      } catch (error) {
        logFailure(log, error, 'a search by meaning failed');
        return [];
      }
    },
    async load(of) {
      await hitsOf(of, new Float32Array(of.dimensions).fill(1));
    },
    async vectorsOf(of, texts) {
      const asked = await askVectors(models, of, texts);
      count('vectors' in asked ? 'text made' : 'text failed', texts.length);
      return asked;
    },
    figures: () => figures,
    close: () => vectors.close(),
  };
}
