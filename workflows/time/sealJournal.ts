import { advance, type HighWaterMark } from '../../db/ledger/highWaterMark.ts';
import { addSeal, landSeal, readSeal, unprovedSeals } from '../../db/ledger/seals.ts';
import { transferDigests, type TransferDigest } from '../../db/ledger/transferDigests.ts';
import { findStamp } from '../../db/time/proofs.ts';
import { lockChain, readChain } from '../../db/time/pulses.ts';
import { makeSeal, type Seal } from '../../domain/ledger/seal.ts';
import { parseInstant, type Instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustNotSign } from './clock.ts';
import { provedPlace } from './proof.ts';
import { stampInside } from './stamps.ts';

/** Transfers of one block: they are hashed in one go, while other work waits. */
const TRANSFERS_A_BLOCK_MAX = 2_000;
/** Blocks that one run makes, and that it looks up a pulse for; the rest goes with the next run. */
const BLOCKS_AT_ONCE_MAX = 50;
/** Milliseconds until that run, in which other jobs have their turn. */
const AGAIN_MS = 100;
/** A backlog is left to the process that sealed a block so shortly before. */
const OTHERS_TURN_MS = 2_000;

/** Up to where the journal is whole, as this process knows it. */
const marks = new WeakMap<Hub, HighWaterMark>();
/** The digest of the newest block that this process sealed. */
const ownSeals = new WeakMap<Hub, string>();

/**
 * Seals new transfers behind which none can commit, so that blocks follow without holes or overlaps
 * (choices ledger.seals). Returns the milliseconds to the next run, or undefined when done.
 */
export async function sealJournal(hub: Hub): Promise<number | undefined> {
  await landSeals(hub);
  const { head } = await hub.store.read(readChain);
  if (mustNotSign(hub, head)) return undefined;
  const mark = await hub.store.read((db) => advance(db, marks.get(hub)));
  marks.set(hub, mark);
  for (let made = 0; made < BLOCKS_AT_ONCE_MAX; made += 1) {
    const before = await hub.store.read(async (db) => (await readSeal(db, 'head'))?.seal);
    const after = before?.body.toSeq ?? 0;
    const isBacklog = mark.auditedUpTo - after > TRANSFERS_A_BLOCK_MAX;
    if (isBacklog && isOthersTurn(hub, before)) return OTHERS_TURN_MS;
    const page = { after, upTo: mark.auditedUpTo, limit: TRANSFERS_A_BLOCK_MAX };
    const transfers = await hub.store.read((db) => transferDigests(db, page));
    if (transfers.length === 0) return undefined;
    await sealBlock(hub, before, transfers);
  }
  return AGAIN_MS;
}

/** Hashing is most of the work, and only one of the processes that hash a block adds it. */
function isOthersTurn(hub: Hub, newest: Seal | undefined): boolean {
  if (newest === undefined || newest.digest === ownSeals.get(hub)) return false;
  return hub.clock.now() - Date.parse(newest.body.sealedAt) < OTHERS_TURN_MS;
}

/** Adds the block and stamps its digest in one unit: there is never a block without a stamp. */
async function sealBlock(
  hub: Hub,
  before: Seal | undefined,
  transfers: readonly TransferDigest[],
): Promise<void> {
  await hub.store.write(async (tx) => {
    await lockChain(tx);
    const newest = (await readSeal(tx, 'head'))?.seal;
    // Another process was here first; the next look begins behind its block.
    if (newest?.digest !== before?.digest) return;
    const { keyId, sign } = hub.keys.current();
    const link = before === undefined ? undefined : { ...before.body, digest: before.digest };
    const sealedAt = notBefore(before, hub.clock.now());
    const seal = makeSeal(transfers, link, { sealedAt, keyId }, sign);
    const { minute } = await stampInside(tx, hub, seal.digest);
    await addSeal(tx, seal, before, minute);
    tx.afterCommit(() => ownSeals.set(hub, seal.digest));
  });
}

/** Clocks of processes differ a little; still no block is dated before the one that it follows. */
function notBefore(before: Seal | undefined, now: Instant): Instant {
  const last = before === undefined ? undefined : parseInstant(before.body.sealedAt);
  return last !== undefined && last > now ? last : now;
}

/** Keeps the way of each stamped block to its pulse with the block. */
async function landSeals(hub: Hub): Promise<void> {
  const waiting = await hub.store.read((db) => unprovedSeals(db, BLOCKS_AT_ONCE_MAX));
  for (const { seal, stampedIn } of waiting) {
    const landed = await hub.store.read(async (db) => {
      const stamp = await findStamp(db, seal.digest, { minute: stampedIn });
      return stamp && provedPlace(db, stamp);
    });
    if (landed === undefined) continue;
    const { pulse, index, path } = landed;
    const place = { pulseSeq: pulse.body.seq, index, path };
    await hub.store.write((tx) => landSeal(tx, seal.body.blockNo, place));
  }
}
