import {
  announceKey,
  hubKeyRows,
  signingKey,
  waitingKey,
  type HubKeyRow,
} from '../../db/time/hubKeys.ts';
import type { KeyId } from '../../domain/account.ts';
import {
  closeMinutes,
  leafPage,
  sealMinutes,
  unsealedMinutes,
  type ClosedMinute,
} from '../../db/time/minutes.ts';
import { addTiles } from '../../db/time/proofs.ts';
import { addPulse, lockChain, readChain } from '../../db/time/pulses.ts';
import { leafHash } from '../../domain/time/merkle.ts';
import { endOf, minuteOf, type Minute } from '../../domain/time/minute.ts';
import { dueMinute, gapBefore, makePulse, type Witness } from '../../domain/time/pulse.ts';
import { growTree, type Tiles } from '../../domain/time/tiles.ts';
import type { Hub, HubKey } from '../kernel/hub.ts';
import { SYSTEM_CLOCK, witness } from './clock.ts';
import { PULSE_TOPIC } from '../topics.ts';

const RANDOM_BYTES = 32;
/** Leaves read and hashed in one go; between two of them other work gets its turn. */
const LEAVES_AT_ONCE = 2_000;

/**
 * Issues the pulse that is due, if any, and returns the milliseconds to the end of the minute.
 * Several processes may try at once: one of them takes the place in the chain.
 */
export async function issuePulse(hub: Hub): Promise<number> {
  await hub.keys.refresh();
  const watch = witness(hub);
  const now = hub.clock.now();
  const due = dueMinute(now, await hub.store.read(readChain), watch);
  // Compared at this moment: the clock may have been set since the last check.
  if (due !== undefined && (await hub.health.check()).state !== 'wrong') {
    await issue(hub, due, watch);
  }
  return endOf(minuteOf(now)) - now;
}

async function issue(hub: Hub, minute: Minute, watch: Witness): Promise<void> {
  const { store } = hub;
  // Minutes are closed first: a closed one takes no leaf, so the tree is built outside of any unit.
  await store.write((tx) => closeMinutes(tx, minute));
  const minutes = await store.readOne((db) => unsealedMinutes(db, minute));
  const { tiles, root } = await treeOver(hub, minutes);
  const nextRandom = hub.random(RANDOM_BYTES);
  await store.write(async (tx) => {
    await lockChain(tx);
    const chain = await readChain(tx);
    const { name, head, nextRandom: committed } = chain;
    const { key, next } = keysFor(hub, await hubKeyRows(tx));
    const issuedAt = hub.clock.now();
    if (key === undefined || dueMinute(issuedAt, chain, watch) !== minute) return;
    const pulse = makePulse(
      {
        chain: name,
        minute,
        issuedAt,
        head,
        root,
        leaves: minutes.reduce((sum, each) => sum + each.leaves, 0),
        gap: gapBefore(minute, head, watch),
        clock: SYSTEM_CLOCK,
        random: Buffer.from(committed ?? '00'.repeat(RANDOM_BYTES), 'hex'),
        nextRandom,
        keyId: key.keyId,
        nextKeyId: next,
      },
      key.sign,
    );
    const secret = Buffer.from(nextRandom).toString('hex');
    await addPulse(tx, { pulse, minute, issuedAt, head, nextRandom: secret });
    const { seq } = pulse.body;
    await sealMinutes(tx, minutes, seq);
    await addTiles(tx, seq, tiles);
    if (next !== undefined) await announceKey(tx, next, { seq, issuedAt });
    tx.publish(PULSE_TOPIC);
  });
  await hub.keys.refresh();
}

interface PulseKeys {
  readonly key: HubKey | undefined;
  readonly next: KeyId | undefined;
}

/** A key is announced only by a process that can sign with it, or the chain would end there. */
function keysFor(hub: Hub, rows: readonly HubKeyRow[]): PulseKeys {
  const [signing, waiting] = [signingKey(rows), waitingKey(rows)];
  return {
    key: signing === undefined ? undefined : hub.keys.find(signing),
    next: waiting === undefined ? undefined : hub.keys.find(waiting)?.keyId,
  };
}

/** The tree over closed minutes' leaves, in the order of arrival (choices time.stamps). */
async function treeOver(hub: Hub, minutes: readonly ClosedMinute[]): Promise<Tiles> {
  const tree = growTree();
  for (const { minute, leaves } of minutes) {
    for (let from = 0; from < leaves; from += LEAVES_AT_ONCE) {
      const page = await hub.store.read((db) => leafPage(db, minute, from, LEAVES_AT_ONCE));
      tree.add(page.map((digest) => leafHash(Buffer.from(digest, 'hex'))));
    }
  }
  return tree.finish();
}
