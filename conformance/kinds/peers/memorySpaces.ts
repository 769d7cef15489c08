import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../db/store.ts';
import { openVectors } from '../../../workflows/kernel/vectors/vectors.ts';
import { fillSpace, searchIn } from './memoryHub.ts';
import { vectorSource } from './memoryVectors.ts';

/** Spaces of a thousand notes; one search in ten meets an evicted one. `SPACES=1000` fills 4 GB. */
const SPACES = Number(process.env['SPACES'] ?? 200);
const NOTES = 1_000;
const SEARCHES = 400;
const SPACE_BYTES = 32 * 32 * 768 * 4;

async function manySpaces(folder: string): Promise<void> {
  const store = await openStore(`sqlite:${join(folder, 'hub.sqlite')}`);
  const random = vectorSource(7);
  const vectors = Array.from({ length: NOTES }, random);
  const spaces: number[] = [];
  for (let n = 0; n < SPACES; n += 1) spaces.push(await fillSpace(store, `space ${n}`, vectors));
  console.log(`${SPACES} spaces of ${NOTES} notes`);
  for (const [what, share] of [
    ['within the budget', 1.01],
    ['9 of 10 kept', 0.9],
    ['half of them kept', 0.5],
  ] as const) {
    const worker = openVectors(Math.floor(SPACES * SPACE_BYTES * share));
    for (const space of spaces) await searchIn(store, worker, space, NOTES, random());
    const spent: number[] = [];
    for (let n = 0; n < SEARCHES; n += 1) {
      // Some are asked far more often than others, as among people.
      const space =
        spaces[Math.floor(Math.abs(random()[0] ?? 0) ** 2 * 400 * SPACES) % SPACES] ?? 1;
      const began = performance.now();
      await searchIn(store, worker, space, NOTES, random());
      spent.push(performance.now() - began);
    }
    const sorted = spent.sort((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((each) => sorted[Math.floor(SEARCHES * each)] ?? 0);
    console.log(`  ${what}: p50 ${p50?.toFixed(2)} ms, p99 ${p99?.toFixed(2)} ms`);
    await worker.close();
  }
  await store.close();
}

const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'));
try {
  await manySpaces(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
