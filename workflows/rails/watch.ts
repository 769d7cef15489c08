import {
  blocksBelow,
  heardFrom,
  moveCursor,
  readCursor,
  startCursor,
} from '../../db/rails/cursors.ts';
import type { Cursor } from '../../db/rails/cursors.ts';
import { depositAddressCount } from '../../db/rails/depositAddresses.ts';
import { orphanAbove } from '../../db/rails/deposits.ts';
import type { ChainBlock } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { sightTransfers, transfersIn } from './transfers.ts';
import type { ChainAtWork, Watched } from './wallet.ts';

/**
 * Follows a chain by height and hash (choices rails.deposits). A lagging node moves nothing, the
 * timer asks a gone one again, and after a reorganisation it goes on from the common block.
 */
const RANGE_BLOCKS = 2_000;
const RANGES_MAX = 20;
/** How far back the common block is looked for when none that is remembered is on the chain. */
const START_BACK = 5_000;
const ANCESTORS_MAX = 64;

/** Reads what is new; answers the cursor, and whether there is more than one run reads. */
export async function followChain(
  hub: Hub,
  at: Watched,
): Promise<{ readonly cursor: Cursor; readonly more: boolean } | undefined> {
  const { head } = at;
  const finalized = (await at.port.block('finalized'))?.number ?? 0;
  let cursor = await cursorOf(hub, at, head, finalized);
  if (cursor === undefined) return undefined;
  for (let ranges = 0; ranges < RANGES_MAX; ranges += 1) {
    if (head.number < cursor.height) return { cursor, more: false };
    const standing: Cursor | undefined = await onTheChain(hub, at, cursor);
    if (standing === undefined) return undefined;
    cursor = standing;
    if (cursor.height >= head.number) return { cursor, more: false };
    const next: Cursor | undefined = await readRange(hub, at, cursor, head);
    if (next === undefined) return { cursor, more: false };
    cursor = next;
  }
  return { cursor, more: cursor.height < head.number };
}

async function cursorOf(
  hub: Hub,
  { network, port, write }: ChainAtWork,
  head: ChainBlock,
  finalized: number,
): Promise<Cursor | undefined> {
  const heard = { head: head.number, finalized, answeredAt: hub.clock.now() };
  const known = await hub.store.readOne((db) => readCursor(db, network));
  if (known !== undefined) {
    await write((tx) => heardFrom(tx, network, heard));
    return { ...known, ...heard };
  }
  // Only a hub of before made addresses while it had not reached the chain.
  const hasAddresses = (await hub.store.read(depositAddressCount)) > 0;
  const start = await port.block(Math.max(0, head.number - (hasAddresses ? START_BACK : 0)));
  if (start === undefined) return undefined;
  const { number: height, hash } = start;
  const from = { height, hash, settled: height, firstHeight: height };
  await write((tx) => startCursor(tx, network, { ...heard, ...from }));
  return hub.store.readOne((db) => readCursor(db, network));
}

/** The cursor, or the highest block below it that this chain has as well. */
async function onTheChain(hub: Hub, at: ChainAtWork, cursor: Cursor): Promise<Cursor | undefined> {
  const { network, port } = at;
  const here = await port.block(cursor.height);
  if (here === undefined) return undefined;
  if (here.hash === cursor.hash) return cursor;
  let below = cursor.height;
  for (;;) {
    const known = await hub.store.read((db) => blocksBelow(db, network, below, ANCESTORS_MAX));
    for (const { height, hash } of known) {
      const found = await port.block(height);
      if (found === undefined) return undefined;
      if (found.hash === hash) return rewind(hub, at, cursor, found);
    }
    const lowest = known.at(-1)?.height;
    if (lowest === undefined) break;
    below = lowest;
  }
  const far = await port.block(Math.max(0, below - START_BACK));
  return far && rewind(hub, at, cursor, far);
}

async function rewind(
  hub: Hub,
  { network, write }: ChainAtWork,
  cursor: Cursor,
  { number: height, hash }: ChainBlock,
): Promise<Cursor | undefined> {
  hub.log.warn({ network, from: cursor.height, to: height }, 'the chain was reorganised');
  const settled = Math.min(cursor.settled, height);
  const moved = await write(async (tx) => {
    if (!(await moveCursor(tx, network, cursor, { height, hash, settled }))) return false;
    await orphanAbove(tx, network, height, hub.clock.now());
    return true;
  });
  return moved ? { ...cursor, height, hash, settled } : undefined;
}

/** One range: its end is asked before and after, so that all of it is of one chain. */
async function readRange(
  hub: Hub,
  at: ChainAtWork,
  cursor: Cursor,
  head: ChainBlock,
): Promise<Cursor | undefined> {
  const { network, port, write } = at;
  const height = Math.min(head.number, cursor.height + RANGE_BLOCKS);
  const before = await port.block(height);
  if (before === undefined) return undefined;
  const found = await transfersIn(hub, at, cursor.height + 1, height);
  const after = await port.block(height);
  if (after?.hash !== before.hash) return undefined;
  await sightTransfers(hub, at, found);
  const to = { height, hash: before.hash, settled: cursor.settled };
  const moved = await write((tx) => moveCursor(tx, network, cursor, to));
  return moved ? { ...cursor, ...to } : undefined;
}
