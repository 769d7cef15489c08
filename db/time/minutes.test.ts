import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { instant } from '../../domain/instant.ts';
import { minute, minutesAfter } from '../../domain/time/minute.ts';
import type { KeyId } from '../../domain/account.ts';
import { addLeaves, closeMinutes, unsealedMinutes, type Leaf } from './minutes.ts';
import { enterFirstKey } from './hubKeys.ts';
import type { Store } from '../store.ts';

const START_MS_MAX = 30_000;
const KEY = '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt' as KeyId;
const NOON = minute(Date.parse('2026-11-20T12:00:00Z'));
const at = instant(NOON + 1);

onBothDatabases('the digests of a minute', (open) => {
  let store: Store;
  before(async function start() {
    this.timeout(START_MS_MAX);
    store = await open();
    await store.write((tx) => enterFirstKey(tx, KEY, at));
  });
  const add = (digests: readonly string[], to: typeof NOON): Promise<ReadonlyMap<string, Leaf>> =>
    store.decide({
      needs: [],
      decide: (db) => addLeaves(db, digests, { minute: to, receivedAt: at, keyId: KEY }),
    });
  const minutesOf = (leaves: ReadonlyMap<string, Leaf>): readonly number[] =>
    [...leaves.values()].map((leaf) => leaf.minute);

  it('are in their places in the order of their arrival, and each is there once', async () => {
    await add(['b', 'a'], NOON);
    const leaves = await add(['c', 'a', 'd'], NOON);
    const places = ['a', 'c', 'd'].map((digest) => leaves.get(digest)?.place);
    assert.deepEqual(places, [1, 2, 3]);
  });

  it('go to the first minute after a closed one that takes them', async () => {
    await store.write((tx) => closeMinutes(tx, minutesAfter(NOON, 1)));
    const [closed, free] = [await add(['x'], NOON), minutesAfter(NOON, 2)];
    assert.deepEqual(minutesOf(closed), [free]);
  });

  it('are not ready for a tree while their minute can still take more', async () => {
    // A process whose clock is far behind opens a minute that did not exist when the others closed.
    const behind = minutesAfter(NOON, -5);
    assert.deepEqual(minutesOf(await add(['y'], behind)), [behind]);
    const upTo = minutesAfter(NOON, 1);
    const ready = await store.read((db) => unsealedMinutes(db, upTo));
    assert.deepEqual(ready, [
      { minute: NOON, leaves: 4 },
      { minute: upTo, leaves: 0 },
    ]);
    await store.write((tx) => closeMinutes(tx, upTo));
    const then = await store.read((db) => unsealedMinutes(db, upTo));
    assert.deepEqual(then[0], { minute: behind, leaves: 1 });
  });
});
