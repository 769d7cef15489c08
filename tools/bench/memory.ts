import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { watchLoop } from './loopWork.ts';
import { hubSearch } from './memoryHub.ts';
import { plainSearch, rawSqliteVec, SQLITE_VEC } from './memoryPeers.ts';
import { exactUsearch, indexedUsearch, USEARCH } from './memoryUsearch.ts';
import { vectorSource } from './memoryVectors.ts';
import type { SearchPeer } from './memoryPeer.ts';

const ROUNDS = 6;
const SEARCHES_A_ROUND = 50;
const WRITE_EVERY = 4;
const random = vectorSource(42);

async function compare(notes: number, folder: string): Promise<void> {
  const vectors = Array.from({ length: notes }, random);
  const peers: Record<string, SearchPeer> = {
    hub: await hubSearch(join(folder, `hub-${notes}`), vectors),
    'plain loop': plainSearch(vectors),
  };
  if (existsSync(SQLITE_VEC)) {
    peers['sqlite-vec'] = await rawSqliteVec(join(folder, `vec-${notes}.sqlite`), vectors);
  }
  if (existsSync(USEARCH)) peers['usearch exact'] = exactUsearch(vectors);
  const times = new Map(Object.keys(peers).map((name) => [name, [] as number[]]));
  await mustAgree(peers);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, peer] of Object.entries(peers)) {
      const spent = await oneRound(peer, notes);
      if (round > 0) times.get(name)?.push(...spent);
    }
  }
  console.log(
    `${notes} notes`.padEnd(16) + ['p50 ms', 'p99 ms', 'turn max ms'].map(right).join(''),
  );
  for (const [name, peer] of Object.entries(peers)) {
    const spent = times.get(name) ?? [];
    // A round of its own, because watching takes time as well.
    const loop = watchLoop();
    await oneRound(peer, notes);
    const cells = [at(spent, 0.5), at(spent, 0.99), loop.end()];
    console.log(`  ${name}`.padEnd(16) + cells.map((each) => right(each.toFixed(2))).join(''));
  }
  if (existsSync(USEARCH)) await recall(vectors, peers['hub']);
  for (const peer of Object.values(peers)) await peer.close();
}

async function oneRound(peer: SearchPeer, notes: number): Promise<readonly number[]> {
  const spent: number[] = [];
  for (let n = 0; n < SEARCHES_A_ROUND; n += 1) {
    if (n % WRITE_EVERY === 0) await peer.write(n % notes, random());
    const query = random();
    await turn();
    const began = performance.now();
    await peer.search(query);
    spent.push(performance.now() - began);
  }
  return spent;
}

/** What is measured has to be the same: all of them find the same notes. */
async function mustAgree(peers: Readonly<Record<string, SearchPeer>>): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    const query = random();
    const [first, ...others] = await Promise.all(
      Object.values(peers).map((peer) => peer.search(query)),
    );
    for (const other of others) {
      if (JSON.stringify(other) !== JSON.stringify(first)) throw new Error('the peers disagree');
    }
  }
}

/** How many of the nearest an index that is not exact finds. */
async function recall(vectors: readonly Float32Array[], judge: SearchPeer | undefined) {
  const index = indexedUsearch(vectors);
  let found = 0;
  for (let times = 0; times < SEARCHES_A_ROUND; times += 1) {
    const query = random();
    const nearest = new Set(await judge?.search(query));
    const those = await index.search(query);
    found += those.filter((no) => nearest.has(no)).length / those.length;
  }
  const share = ((found / SEARCHES_A_ROUND) * 100).toFixed(0);
  console.log(`  usearch's index of its own settings finds ${share} % of the nearest`);
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function right(text: string): string {
  return text.padStart(13);
}

const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'));
try {
  for (const notes of [1_000, 10_000]) await compare(notes, folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
