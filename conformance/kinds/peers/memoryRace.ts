import { setImmediate as turn } from 'node:timers/promises';
import { watchLoop } from '../../harness/loopWork.ts';
import type { SearchPeer } from './memoryPeer.ts';
import { vectorSource } from './memoryVectors.ts';

const ROUNDS = 6;
const SEARCHES_A_ROUND = 50;
const WRITE_EVERY = 4;
const AGREED = 5;
const WIDTH = 30;

/** Vectors of which every search of a process is made. */
export const random = vectorSource(42);

/** Puts the same searches and writes to every peer, in interleaved rounds, and prints their times. */
export async function raceSearches(
  notes: number,
  peers: Readonly<Record<string, SearchPeer>>,
): Promise<void> {
  const times = new Map(Object.keys(peers).map((name) => [name, [] as number[]]));
  await mustAgree(peers);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, peer] of Object.entries(peers)) {
      const spent = await oneRound(peer, notes);
      if (round > 0) times.get(name)?.push(...spent);
    }
  }
  console.log(
    `${notes} notes`.padEnd(WIDTH) + ['p50 ms', 'p99 ms', 'turn max ms'].map(right).join(''),
  );
  for (const [name, peer] of Object.entries(peers)) {
    const spent = times.get(name) ?? [];
    // A round of its own, because watching takes time as well.
    const loop = watchLoop();
    await oneRound(peer, notes);
    const cells = [at(spent, 0.5), at(spent, 0.99), loop.end()];
    console.log(`  ${name}`.padEnd(WIDTH) + cells.map((each) => right(each.toFixed(2))).join(''));
  }
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

/** Checks that all peers find the same notes, so that the same work is measured. */
async function mustAgree(peers: Readonly<Record<string, SearchPeer>>): Promise<void> {
  for (let times = 0; times < AGREED; times += 1) {
    const query = random();
    const [first, ...others] = await Promise.all(
      Object.values(peers).map((peer) => peer.search(query)),
    );
    for (const other of others) {
      if (JSON.stringify(other) !== JSON.stringify(first)) throw new Error('the peers disagree');
    }
  }
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function right(text: string): string {
  return text.padStart(13);
}
