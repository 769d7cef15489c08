import { readSeal } from '../../db/ledger/seals.ts';
import { addCheckpoint, readCheckpoint } from '../../db/log/checkpoints.ts';
import {
  addLeaves,
  moveLog,
  readLog,
  readTiles,
  saveTiles,
  type LogState,
} from '../../db/log/log.ts';
import { payoutsIn } from '../../db/log/payouts.ts';
import { markModelsLogged, unloggedModelCalls } from '../../db/models/calls.ts';
import { markLogged, unloggedCalls } from '../../db/router/calls.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { disputesEndedIn } from '../../db/tasks/disputes.ts';
import { hubKeyRows } from '../../db/time/hubKeys.ts';
import { readChain } from '../../db/time/pulses.ts';
import { eachInTurns } from '../../db/turns.ts';
import { sha256Hex } from '../../domain/digest.ts';
import {
  callLeaf,
  hashOfLeaf,
  modelLeaf,
  payoutLeaf,
  rulingLeaf,
  type LogLeaf,
} from '../../domain/log/final.ts';
import { checkpointText } from '../../domain/log/note.ts';
import { signNote } from '../../domain/log/signing.ts';
import { growTree, tilesAtEdge, type Tile, type Tiles } from '../../domain/time/tiles.ts';
import type { Hub, HubKey } from '../kernel/hub.ts';
import { mustNotSign } from '../time/clock.ts';
import { stampInside } from '../time/stamps.ts';

/** Receipts of each kind, and transfers, that one batch takes: they are hashed in one go. */
const RECEIPTS_AT_ONCE_MAX = 200;
const TRANSFERS_AT_ONCE_MAX = 100;
/** Batches of one run; the rest goes with the next one. */
const BATCHES_AT_ONCE_MAX = 20;
/** Milliseconds until that run, in which other jobs have their turn. */
const AGAIN_MS = 100;
/** A client that trusts an older key of the hub has until the next change to take the newer one. */
const KEYS_MAX = 2;

interface Pending {
  readonly state: LogState;
  readonly edge: readonly Tile[];
  readonly leaves: readonly LogLeaf[];
  readonly calls: readonly string[];
  readonly models: readonly string[];
  readonly readTo: number;
  /** The empty log has no checkpoint until the first run. */
  readonly isBegun: boolean;
}

/**
 * Adds a leaf for every receipt, payout and ruling that has none (choices log.sequence). Returns
 * the milliseconds until it wants to go on, or undefined when all is logged.
 */
export async function sequenceLog(hub: Hub): Promise<number | undefined> {
  const { head } = await hub.store.read(readChain);
  if (mustNotSign(hub, head)) return undefined;
  for (let made = 0; made < BATCHES_AT_ONCE_MAX; made += 1) {
    const pending = await hub.store.read(readPending);
    const { state, leaves, readTo, isBegun, edge } = pending;
    if (leaves.length === 0 && readTo === state.readTo && isBegun) return undefined;
    const tree = growTree(state.size, edge);
    await eachInTurns(leaves, (leaf) => tree.add([hashOfLeaf(leaf)]));
    await hub.store.write((tx) => addBatch(tx, hub, pending, tree.finish()));
  }
  return AGAIN_MS;
}

/** The state is read first: a batch that another process adds meanwhile shows in its size. */
async function readPending(db: Reader): Promise<Pending> {
  const state = await readLog(db);
  const sealedTo = (await readSeal(db, 'head'))?.seal.body.toSeq ?? 0;
  const readTo = Math.max(state.readTo, Math.min(state.readTo + TRANSFERS_AT_ONCE_MAX, sealedTo));
  const stretch = { after: state.readTo, to: readTo };
  const disputes = await disputesEndedIn(db, stretch);
  const payouts = await payoutsIn(db, stretch);
  const calls = await unloggedCalls(db, RECEIPTS_AT_ONCE_MAX);
  const models = await unloggedModelCalls(db, RECEIPTS_AT_ONCE_MAX);
  const rulings = disputes.flatMap(({ dispute, money }) =>
    money === undefined ? [] : [rulingLeaf(dispute, money)],
  );
  return {
    state,
    edge: await readTiles(db, tilesAtEdge(state.size)),
    leaves: [
      ...rulings,
      ...payouts.map(payoutLeaf),
      ...calls.map(callLeaf),
      ...models.map(modelLeaf),
    ],
    calls: calls.map(({ id }) => id),
    models: models.map(({ id }) => id),
    readTo,
    isBegun: state.size > 0 || (await readCheckpoint(db, 0)) !== undefined,
  };
}

/** Leaves, tiles and the checkpoint over them are one unit: no kill leaves one without another. */
async function addBatch(tx: Writer, hub: Hub, pending: Pending, tree: Tiles): Promise<void> {
  const { state, leaves, calls, models, readTo, isBegun } = pending;
  const newest = await readLog(tx, 'lock');
  // Another process was here first; the next look begins behind its batch.
  if (newest.size !== state.size || newest.readTo !== state.readTo) return;
  const size = state.size + leaves.length;
  await moveLog(tx, size, readTo);
  // Two processes that begin the log at once both found it without a checkpoint.
  const isSigned = isBegun || (await readCheckpoint(tx, state.size)) !== undefined;
  if (leaves.length === 0 && isSigned) return;
  await addLeaves(tx, state.size, leaves);
  await markLogged(tx, calls);
  await markModelsLogged(tx, models);
  await saveTiles(tx, tree.tiles);
  const text = checkpointText({ origin: state.origin, size, root: tree.root });
  const digest = sha256Hex(text);
  const note = signNote(text, state.origin, await logKeys(tx, hub));
  const stamped = await stampInside(tx, hub, digest);
  const issuedAt = hub.clock.now();
  await addCheckpoint(tx, { size, note, digest, issuedAt, stampedIn: stamped.minute });
}

/** The key of the hub that signs now, and the one before it where this process has its file. */
export async function logKeys(db: Reader, hub: Hub): Promise<readonly HubKey[]> {
  const current = hub.keys.current();
  const announced = (await hubKeyRows(db)).filter(({ notBefore }) => notBefore !== null);
  const others = announced.flatMap(({ keyId }) => hub.keys.find(keyId) ?? []);
  return [current, ...others.filter(({ keyId }) => keyId !== current.keyId)].slice(0, KEYS_MAX);
}
