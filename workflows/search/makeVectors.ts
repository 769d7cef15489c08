import {
  claimAsking,
  forgetUnused,
  releaseAsking,
  searchModel,
  useModel,
} from '../../db/search/models.ts';
import type { Reader } from '../../db/store.ts';
import { changedListings, describedTexts } from '../../db/search/describedTexts.ts';
import { dueTexts, postponeTexts, putTexts } from '../../db/search/texts.ts';
import { putVectors } from '../../db/search/vectors.ts';
import type { SearchModel, SearchText } from '../../db/search/vectorTables.ts';
import { instant } from '../../domain/instant.ts';
import { packVector } from '../../domain/models/embedding.ts';
import { textDigest, textOf } from '../../domain/search/near.ts';
import type { Hub } from '../kernel/hub.ts';
import { againIfFull } from '../kernel/job.ts';
import type { EmbeddingModel } from '../kernel/search/embeddings.ts';

/**
 * Makes the vectors of listings for search by meaning, which the operator pays for (choices
 * search.meaning). It follows the documents of the index, asks for a few texts at once and within
 * an hourly budget, and asks again later for those that failed.
 */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CHANGES_AT_ONCE = 500;
const TEXTS_AT_ONCE = 32;
/** Texts of an hour, over all processes. */
const TEXTS_AN_HOUR = 6_000;
/** Longer than asking takes; a process that was killed holds the others up so long. */
const CLAIM_MS = 60_000;
const AGAIN_MS = 250;
const FIRST_RETRY_MS = 60_000;
const RETRIES_DOUBLED_MAX = 6;
const FORGET_AT_ONCE = 2_000;

/** Does one step; returns when to run again while there is more to do. */
export async function makeVectors(hub: Hub): Promise<number | void> {
  const { model } = hub.byMeaning;
  if (model === undefined) return undefined;
  const state = await usedModel(hub, model);
  const isBehind = await followTexts(hub, model, state);
  const isMade = await askForDue(hub, model);
  if (isBehind || isMade) return AGAIN_MS;
  await hub.byMeaning.load(model);
  return undefined;
}

async function usedModel({ store, clock }: Hub, { name }: EmbeddingModel): Promise<SearchModel> {
  const read = () => store.readOne((db) => searchModel(db, name));
  const [known, now] = [await read(), clock.now()];
  if (known !== undefined && now - known.usedAt < HOUR_MS) return known;
  await store.write((tx) => useModel(tx, name, now));
  const made = await read();
  if (made === undefined) throw new Error('a model of search has lost its row');
  return made;
}

/** Takes in what listings say since the last change that was seen; false when that is all. */
async function followTexts(
  { store, clock }: Hub,
  { name, letters }: EmbeddingModel,
  { seen }: SearchModel,
): Promise<boolean> {
  const { page, described } = await store.read(async (db) => {
    const page = await changedListings(db, seen, CHANGES_AT_ONCE);
    return { page, described: await describedTexts(db, page.refs) };
  });
  if (page.until === seen) return false;
  const texts = [...described].flatMap(([ref, each]) => {
    const text = textOf(each, letters);
    return text === '' ? [] : [{ ref, digest: textDigest(text) }];
  });
  const withText = new Set(texts.map(({ ref }) => ref));
  const gone = page.refs.filter((ref) => !withText.has(ref));
  const seenNow = { from: seen, until: page.until, texts, gone };
  return store.write((tx) => putTexts(tx, name, seenNow, clock.now()));
}

/** Asks for one batch; true when the provider took it. */
async function askForDue(hub: Hub, model: EmbeddingModel): Promise<boolean> {
  const { store } = hub;
  const { name } = model;
  const batch = await claimBatch(hub, name);
  if (batch === undefined) return false;
  const texts = await store.read((db) => textsOfBatch(db, batch, model));
  const digests = [...texts.keys()];
  if (digests.length === 0) {
    await store.write((tx) => releaseAsking(tx, name));
    return false;
  }
  const asked = await hub.byMeaning.vectorsOf(model, [...texts.values()]);
  if ('vectors' in asked) {
    const vectors = new Map(digests.map((digest, n) => [digest, packed(asked.vectors[n])]));
    await store.write((tx) => putVectors(tx, name, vectors));
    return true;
  }
  hub.log.warn({ model: name, texts: digests.length, why: asked.fault }, 'no vectors of texts');
  const isParted = asked.ofRequest === true && digests.length > 1;
  const faults = Math.min(batch[0]?.faults ?? 0, RETRIES_DOUBLED_MAX);
  const until = instant(hub.clock.now() + (isParted ? 0 : FIRST_RETRY_MS * 2 ** faults));
  await store.write((tx) => postponeTexts(tx, name, digests, until));
  // The provider is there, so what it takes need not wait.
  return asked.ofRequest === true;
}

/** Claims the asking, and returns what is due then: another process may have asked before. */
async function claimBatch(
  { store, clock }: Hub,
  model: string,
): Promise<readonly SearchText[] | undefined> {
  const now = clock.now();
  const likely = await store.read((db) => dueTexts(db, model, now, TEXTS_AT_ONCE));
  const texts = together(likely).length;
  if (texts === 0) return undefined;
  const until = instant(now + CLAIM_MS);
  const hour = Math.floor(now / HOUR_MS);
  return store.write(async (tx) => {
    const claim = { now, until, hour, texts, hourMax: TEXTS_AN_HOUR };
    if (!(await claimAsking(tx, model, claim))) return undefined;
    return together(await dueTexts(tx, model, now, texts));
  });
}

/** Returns texts by their digests; one that has changed is due again once that was seen. */
async function textsOfBatch(
  db: Reader,
  batch: readonly SearchText[],
  { letters }: EmbeddingModel,
): Promise<ReadonlyMap<string, string>> {
  const described = await describedTexts(
    db,
    batch.map(({ ref }) => ref),
  );
  return new Map(
    batch.flatMap(({ ref, digest }) => {
      const each = described.get(ref);
      const text = each && textOf(each, letters);
      return text !== undefined && textDigest(text) === digest ? [[digest, text] as const] : [];
    }),
  );
}

function packed(vector: Float32Array | undefined): string {
  if (vector === undefined) throw new Error('a text has no vector');
  return packVector(vector);
}

/** The due texts of one request. One that failed before is alone, so that it spoils no batch. */
function together(due: readonly SearchText[]): readonly SearchText[] {
  const [first] = due;
  return first === undefined || first.faults > 0
    ? due.slice(0, 1)
    : due.filter(({ faults }) => faults === 0);
}

/** Deletes the vectors of models that no process has used for a day. */
export async function forgetVectors({ store, clock }: Hub): Promise<number | undefined> {
  const before = instant(clock.now() - DAY_MS);
  const gone = await store.write((tx) => forgetUnused(tx, before, FORGET_AT_ONCE));
  return againIfFull(gone, 1);
}
