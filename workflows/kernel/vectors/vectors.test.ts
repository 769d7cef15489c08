import assert from 'node:assert/strict';
import { DIMENSIONS, normalised } from '../../../domain/memory/embedding.ts';
import { packVector } from '../../../domain/models/embedding.ts';
import { openArena } from './arena.ts';
import { openBlock } from './block.ts';
import { openVectors, type LoadedPage, type Vectors } from './vectors.ts';

/** A generator of numbers that a failure can be repeated with. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

type Stored = [no: number, changed: number, vector: readonly number[] | null];

function vectorBy(random: () => number): readonly number[] {
  return Array.from({ length: DIMENSIONS }, random);
}

function packed(vector: readonly number[]): string {
  const unit = normalised(vector);
  assert.ok(unit !== undefined);
  return packVector(unit);
}

/** The judge: every distance in double precision from what was sent, and a plain sort. */
function bruteForce(stored: readonly Stored[], query: readonly number[], k: number) {
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
  return stored
    .flatMap(([no, changed, vector]) =>
      vector === null
        ? []
        : [
            {
              no,
              changed,
              distance: 1 - dot(vector, query) / Math.sqrt(dot(vector, vector) * dot(query, query)),
            },
          ],
    )
    .sort((a, b) => a.distance - b.distance || b.changed - a.changed)
    .slice(0, k);
}

function mustAgree(
  found: readonly { readonly no: number; readonly distance: number }[],
  judge: readonly { readonly no: number; readonly distance: number }[],
): void {
  assert.deepEqual(
    found.map(({ no }) => no),
    judge.map(({ no }) => no),
  );
  for (const [n, { distance }] of found.entries()) {
    assert.ok(Math.abs(distance - (judge[n]?.distance ?? 9)) < 1e-6, `distance ${n}: ${distance}`);
  }
}

function unit(vector: readonly number[]): Float32Array {
  const found = normalised(vector);
  assert.ok(found !== undefined);
  return found;
}

describe('a block of embeddings', () => {
  it('finds exactly the nearest, whatever their number', () => {
    const random = numbers(7);
    for (const count of [0, 1, 31, 32, 33, 500]) {
      const stored: Stored[] = Array.from({ length: count }, (_, n) => [
        n,
        n + 1,
        vectorBy(random),
      ]);
      const block = openBlock(openArena(), DIMENSIONS);
      block.take(stored.map(([no, changed, vector]) => [no, changed, packed(vector ?? [])]));
      for (const k of [1, 20]) {
        const query = vectorBy(random);
        mustAgree(block.nearest(unit(query), k), bruteForce(stored, query, k));
      }
    }
  });

  it('puts the newer first among equals, even where there are more equals than places', () => {
    const random = numbers(11);
    const same = vectorBy(random);
    const stored: Stored[] = Array.from({ length: 300 }, (_, n) => [n, 1000 - n, same]);
    const block = openBlock(openArena(), DIMENSIONS);
    block.take(stored.map(([no, changed, vector]) => [no, changed, packed(vector ?? [])]));
    const query = vectorBy(random);
    mustAgree(block.nearest(unit(query), 20), bruteForce(stored, query, 20));
  });

  it('follows overwritten notes, notes without an embedding any more, and pages that come twice', () => {
    const random = numbers(13);
    const block = openBlock(openArena(), DIMENSIONS);
    const current = new Map<number, Stored>();
    for (let changed = 1; changed <= 2_000; changed += 1) {
      const no = Math.floor((random() + 0.5) * 150);
      const gone = random() > 0.35;
      const vector = gone ? null : vectorBy(random);
      current.set(no, [no, changed, vector]);
      const row = [no, changed, vector === null ? null : packed(vector)] as const;
      block.take([row, row]);
      if (changed % 400 !== 0) continue;
      const query = vectorBy(random);
      mustAgree(block.nearest(unit(query), 20), bruteForce([...current.values()], query, 20));
    }
  });

  it('gives its room back', () => {
    const arena = openArena();
    const random = numbers(17);
    const row = packed(vectorBy(random));
    const first = arena.take();
    arena.give(first);
    for (let round = 0; round < 5; round += 1) {
      const block = openBlock(arena, DIMENSIONS);
      block.take(Array.from({ length: 100 }, (_, n) => [n, n + 1, row]));
      assert.equal(block.bytes(), 4 * 32 * 768 * 4);
      block.free();
    }
    const slabs = Array.from({ length: 4 }, () => arena.take());
    assert.ok(slabs.includes(first), 'slabs are used again');
  });
});

describe('the vector search', () => {
  const random = numbers(23);
  const spaces = new Map<number, Stored[]>(
    [1, 2, 3].map((space) => [
      space,
      Array.from({ length: 90 }, (_, n): Stored => [space * 1000 + n, n + 1, vectorBy(random)]),
    ]),
  );
  let loads = 0;
  const load =
    (space: number) =>
    async (after: number): Promise<LoadedPage> => {
      loads += 1;
      const rows = (spaces.get(space) ?? [])
        .filter(([, changed]) => changed > after)
        .sort((a, b) => a[1] - b[1])
        .slice(0, 40);
      return {
        rows: JSON.stringify(rows.map(([no, at, v]) => [no, at, v === null ? null : packed(v)])),
        count: rows.length,
        until: rows.at(-1)?.[1] ?? after,
      };
    };
  const ask = async (vectors: Vectors, space: number): Promise<void> => {
    const stored = spaces.get(space) ?? [];
    const query = vectorBy(random);
    const found = await vectors.nearest({
      space,
      changes: Math.max(...stored.map(([, changed]) => changed)),
      embedded: stored.length,
      query: unit(query),
      k: 20,
      load: load(space),
    });
    mustAgree(found, bruteForce(stored, query, 20));
  };
  const SPACE_BYTES = 3 * 32 * 768 * 4;

  it('loads a space once and then only what changed', async () => {
    const vectors = openVectors(10 * SPACE_BYTES);
    loads = 0;
    await Promise.all([ask(vectors, 1), ask(vectors, 1), ask(vectors, 1)]);
    assert.equal(loads, 3, 'three pages, once');
    spaces.get(1)?.splice(4, 1, [1004, 91, vectorBy(random)]);
    await ask(vectors, 1);
    assert.equal(loads, 4);
    await vectors.close();
  });

  it('keeps within its budget, the least used space leaving first', async () => {
    const vectors = openVectors(2 * SPACE_BYTES);
    for (const space of [1, 2, 1, 3, 1]) await ask(vectors, space);
    assert.deepEqual(vectors.kept(), { spaces: 2, bytes: 2 * SPACE_BYTES });
    loads = 0;
    await ask(vectors, 1);
    assert.equal(loads, 0, 'the space in use stayed');
    await ask(vectors, 2);
    assert.ok(loads > 0, 'the other had left');
    await vectors.close();
  });

  it('is exact for spaces that crowd each other out while they load', async () => {
    const vectors = openVectors(SPACE_BYTES);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([1, 2, 3, 1, 2, 3].map((space) => ask(vectors, space)));
    }
    await ask(vectors, 2);
    await ask(vectors, 3);
    assert.ok(vectors.kept().bytes <= SPACE_BYTES, 'what is not in use leaves');
    await vectors.close();
  });

  it('searches a space that is larger than the budget without keeping it', async () => {
    const vectors = openVectors(SPACE_BYTES / 2);
    await ask(vectors, 1);
    assert.deepEqual(vectors.kept(), { spaces: 0, bytes: 0 });
    await vectors.close();
  });

  it('lets the loop go round while a space is loaded and while it is searched', async () => {
    const [pages, rowsAPage] = [40, 160];
    const vector = packed(vectorBy(random));
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const handed: number[] = [];
    const vectors = openVectors(64 * 2 ** 20);
    const search = {
      space: 9,
      changes: pages * rowsAPage,
      embedded: pages * rowsAPage,
      query: unit(vectorBy(random)),
      k: 20,
      // Pages load at once: without waiting for the thread, all would be in one turn.
      load: (after: number): Promise<LoadedPage> => {
        handed.push(turns);
        const rows = Array.from({ length: rowsAPage }, (_, n) => [
          after + n,
          after + n + 1,
          vector,
        ]);
        return Promise.resolve({
          rows: JSON.stringify(rows),
          count: rowsAPage,
          until: after + rowsAPage,
        });
      },
    };
    await vectors.nearest(search);
    const before = turns;
    await vectors.nearest(search);
    isOver = true;
    assert.ok(turns > before, 'the loop goes round while all of it is searched');
    assert.equal(handed.length, pages);
    assert.ok(new Set(handed).size > 1, 'nor are all of its pages handed on in one turn');
    await vectors.close();
  });

  it('rejects waiting callers when it is closed, and starts no worker before it is needed', async () => {
    const idle = openVectors(SPACE_BYTES);
    await idle.close();
    const vectors = openVectors(SPACE_BYTES);
    const asked = ask(vectors, 2);
    const failed = assert.rejects(asked, /closed/);
    setTimeout(() => void vectors.close(), 0);
    await failed;
  });
});
