import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hubSearch } from './memoryHub.ts';
import { plainSearch, rawSqliteVec, SQLITE_VEC } from './memoryPeers.ts';
import { raceSearches, random } from './memoryRace.ts';
import { exactUsearch, indexedUsearch, USEARCH } from './memoryUsearch.ts';
import type { SearchPeer } from './memoryPeer.ts';

const RECALLS = 50;

async function compare(notes: number, folder: string): Promise<void> {
  const vectors = Array.from({ length: notes }, random);
  await mkdir(join(folder, `hub-${notes}`));
  const hub = await hubSearch(`sqlite:${join(folder, `hub-${notes}`, 'hub.sqlite')}`, vectors);
  const peers: Record<string, SearchPeer> = { hub, 'plain loop': plainSearch(vectors) };
  if (existsSync(SQLITE_VEC)) {
    peers['sqlite-vec'] = await rawSqliteVec(join(folder, `vec-${notes}.sqlite`), vectors);
  }
  if (existsSync(USEARCH)) peers['usearch exact'] = exactUsearch(vectors);
  await raceSearches(notes, peers);
  if (existsSync(USEARCH)) await recall(vectors, hub);
  for (const peer of Object.values(peers)) await peer.close();
}

/** How many of the nearest an index that is not exact finds. */
async function recall(vectors: readonly Float32Array[], judge: SearchPeer) {
  const index = indexedUsearch(vectors);
  let found = 0;
  for (let times = 0; times < RECALLS; times += 1) {
    const query = random();
    const nearest = new Set(await judge.search(query));
    const those = await index.search(query);
    found += those.filter((no) => nearest.has(no)).length / those.length;
  }
  const share = ((found / RECALLS) * 100).toFixed(0);
  console.log(`  usearch's index of its own settings finds ${share} % of the nearest`);
}

const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'));
try {
  for (const notes of [1_000, 10_000]) await compare(notes, folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
