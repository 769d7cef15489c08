import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256 } from '../digest.ts';
import {
  auditPath,
  consistencyPath,
  EMPTY_ROOT,
  leafHash,
  nodeHash,
  rootFromPath,
  rootOf,
  type Hash,
} from './merkle.ts';
import {
  consistencyFromTiles,
  growTree,
  pathFromTiles,
  tilesAtEdge,
  tilesForConsistency,
  tilesForPath,
  type TileName,
  type Tiles,
} from './tiles.ts';

/** Inputs and roots that RFC 6962 implementations share (choices time.vectors). */
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => leafHash(Buffer.from(text, 'hex')));

const hex = (hash: Hash): string => Buffer.from(hash).toString('hex');

describe('Merkle tree', () => {
  it('has the roots of the shared RFC 6962 inputs', () => {
    assert.equal(
      hex(rootOf(INPUTS)),
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
    assert.equal(
      hex(rootOf(INPUTS.slice(0, 3))),
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    );
    assert.equal(
      hex(EMPTY_ROOT),
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('has the root over the digests of a, b and c', () => {
    const leaves = ['a', 'b', 'c'].map((text) => leafHash(sha256(text)));
    assert.equal(
      hex(rootOf(leaves)),
      'cac3d448d4e20a2ad5eae1f500e63c2a7f9217cd14572ba7fd22e26dc1ec2648',
    );
  });

  it('gives the shared audit path of leaf 5 of 7', () => {
    const path = auditPath(5, 7, (from, to) => rootOf(INPUTS.slice(from, to)));
    assert.deepEqual(path.map(hex), [
      hex(INPUTS[4] ?? EMPTY_ROOT),
      hex(INPUTS[6] ?? EMPTY_ROOT),
      hex(rootOf(INPUTS.slice(0, 4))),
    ]);
  });

  it('leads from every leaf to the root, and from no other place', () => {
    for (let size = 1; size <= 40; size += 1) {
      const leaves = Array.from({ length: size }, (_, n) => leafHash(sha256(`${n}`)));
      const root = hex(rootOf(leaves));
      for (const [index, leaf] of leaves.entries()) {
        const path = auditPath(index, size, (from, to) => rootOf(leaves.slice(from, to)));
        const found = rootFromPath(leaf, index, size, path);
        assert.equal(found && hex(found), root, `${index} of ${size}`);
        const beside = rootFromPath(leaf, index === 0 ? 1 : index - 1, size, path);
        assert.notEqual(beside && hex(beside), root, `beside ${index} of ${size}`);
        assert.equal(rootFromPath(leaf, index, size, [...path, leaf]), undefined);
        if (size > 1) assert.equal(rootFromPath(leaf, index, size, path.slice(1)), undefined);
      }
    }
    assert.equal(rootFromPath(EMPTY_ROOT, 1, 1, []), undefined);
  });

  it('gives the shared consistency proofs', () => {
    const proof = (before: number, after: number): readonly string[] =>
      consistencyPath(before, after, (from, to) => rootOf(INPUTS.slice(from, to))).map(hex);
    assert.deepEqual(proof(1, 8), [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    assert.deepEqual(proof(6, 8), [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    assert.deepEqual(proof(2, 5), [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ]);
    assert.deepEqual([proof(0, 8), proof(8, 8)], [[], []]);
    assert.throws(() => proof(9, 8), RangeError);
  });

  it('refuses a path to a leaf that is not there', () => {
    assert.throws(() => auditPath(3, 3, () => EMPTY_ROOT), RangeError);
    assert.throws(() => auditPath(-1, 3, () => EMPTY_ROOT), RangeError);
  });
});

/** The leaves come in pieces, as they are read. */
function tilesOf(leaves: readonly Hash[], piece = 100): Tiles {
  const tree = growTree();
  for (let from = 0; from < leaves.length; from += piece)
    tree.add(leaves.slice(from, from + piece));
  return tree.finish();
}

describe('Merkle tiles', () => {
  const leavesOf = (count: number): readonly Hash[] =>
    Array.from({ length: count }, (_, n) => leafHash(sha256(`leaf ${n}`)));

  it('give the root of the leaves at every size around the edges of a tile', () => {
    const all = leavesOf(65_537);
    for (const size of [1, 2, 255, 256, 257, 511, 512, 513, 1000, 65_536, 65_537]) {
      const leaves = all.slice(0, size);
      assert.equal(hex(tilesOf(leaves).root), hex(rootOf(leaves)), `${size} leaves`);
    }
    assert.equal(hex(tilesOf([]).root), hex(EMPTY_ROOT));
  });

  it('give a path that leads to the root, out of the named tiles alone', () => {
    const all = leavesOf(3_000);
    const cases = fc
      .integer({ min: 1, max: 3_000 })
      .chain((size) =>
        fc.record({ size: fc.constant(size), index: fc.integer({ min: 0, max: size - 1 }) }),
      );
    fc.assert(
      fc.property(cases, ({ size, index }) => {
        const leaves = all.slice(0, size);
        const { tiles, root } = tilesOf(leaves);
        const named = tilesForPath(index, size);
        const read = tiles.filter(({ level, tile }) =>
          named.some((name) => name.level === level && name.tile === tile),
        );
        const path = pathFromTiles(index, size, read);
        assert.equal(hex(walk(leaves[index] ?? EMPTY_ROOT, index, size, path)), hex(root));
      }),
      { numRuns: 150 },
    );
  });

  it('are the same when a tree grows from its edge as when it is made at once', () => {
    const all = leavesOf(1_100);
    for (const [before = 0, after] of [
      [0, 1],
      [1, 256],
      [255, 257],
      [256, 512],
      [300, 1_100],
    ]) {
      const first = tilesOf(all.slice(0, before));
      const named = new Set(tilesAtEdge(before).map(nameOf));
      const edge = first.tiles.filter((each) => named.has(nameOf(each)));
      assert.equal(edge.length, named.size);
      const tree = growTree(before, edge);
      tree.add(all.slice(before, after));
      const { tiles, root } = tree.finish();
      const stored = new Map([...first.tiles, ...tiles].map((each) => [nameOf(each), each]));
      const whole = tilesOf(all.slice(0, after));
      assert.equal(hex(root), hex(whole.root), `${before} to ${after}`);
      assert.equal(stored.size, whole.tiles.length);
      for (const each of whole.tiles) {
        assert.deepEqual(stored.get(nameOf(each))?.hashes, each.hashes, nameOf(each));
      }
    }
  });

  it('give a consistency proof out of the named tiles alone', () => {
    const all = leavesOf(1_200);
    for (const [before, after] of [
      [1, 2],
      [3, 300],
      [255, 256],
      [256, 1_200],
      [700, 1_024],
    ]) {
      if (before === undefined || after === undefined) continue;
      const { tiles } = tilesOf(all.slice(0, after));
      const named = new Set(tilesForConsistency(before, after).map(nameOf));
      const read = tiles.filter((each) => named.has(nameOf(each)));
      const path = consistencyFromTiles(before, after, read);
      const plain = consistencyPath(before, after, (from, to) => rootOf(all.slice(from, to)));
      assert.deepEqual(path.map(hex), plain.map(hex), `${before} to ${after}`);
    }
  });

  it('give a path in a tree of three levels of tiles', () => {
    const leaves = leavesOf(70_000);
    const { tiles, root } = tilesOf(leaves);
    for (const index of [0, 255, 256, 65_535, 65_536, 69_999]) {
      const named = tilesForPath(index, leaves.length);
      assert.ok(named.length <= 6, `${named.length} tiles`);
      const read = tiles.filter(({ level, tile }) =>
        named.some((name) => name.level === level && name.tile === tile),
      );
      const path = pathFromTiles(index, leaves.length, read);
      assert.equal(hex(walk(leaves[index] ?? EMPTY_ROOT, index, leaves.length, path)), hex(root));
    }
  });
});

/** Walks a path from the root down by the tree's definition, apart from the code under test. */
function walk(leaf: Hash, index: number, size: number, path: readonly Hash[]): Hash {
  if (size === 1) return leaf;
  let half = 1;
  while (half * 2 < size) half *= 2;
  const last = path.at(-1) ?? EMPTY_ROOT;
  const rest = path.slice(0, -1);
  return index < half
    ? nodeHash(walk(leaf, index, half, rest), last)
    : nodeHash(last, walk(leaf, index - half, size - half, rest));
}

function nameOf({ level, tile }: TileName): string {
  return `${level}/${tile}`;
}
