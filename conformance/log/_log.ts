import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { receiptsIn } from '../../domain/log/receipts.ts';
import { readCheckpoint, type SignedCheckpoint } from '../../domain/log/note.ts';
import { tilePath, TILE_WIDTH, widthIn } from '../../domain/log/tilePath.ts';
import { leafHash, rootOf } from '../../domain/time/merkle.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';

export type Body = Record<string, unknown>;

let keys = 0;

/** A receipt that needs no agent: nothing is listed that has this tool. */
export async function receipt(caller: Agent): Promise<Body> {
  keys += 1;
  const body = { operation: 'nothing', arguments: {}, idempotencyKey: `log-${keys}` };
  const answer = mustOk(await caller.post('/api/v1/call', { caller: caller.account, ...body }));
  return answer['receipt'] as Body;
}

export async function receipts(caller: Agent, count: number): Promise<readonly Body[]> {
  return Promise.all(Array.from({ length: count }, () => receipt(caller)));
}

/** Adds what waits to the log; fails when the job does. */
export async function sequence(world: Pick<Fixture, 'hub'>): Promise<void> {
  assert.equal(await sequenceError(world), undefined);
}

export async function sequenceError({ hub }: Pick<Fixture, 'hub'>): Promise<string | undefined> {
  await hub.runJob('sequenceLog');
  return hub.running.driver.report().find(({ name }) => name === 'sequenceLog')?.lastError;
}

/** Seals the journal as it is now, and adds the payouts in it. */
export async function sealAndSequence({ hub }: Fixture): Promise<void> {
  for (let looks = 0; looks < 3; looks += 1) await hub.runJob('sealJournal');
  await sequence({ hub });
}

/** Makes leaves without receipts, for the edges of tiles: in the queue as a finished call leaves it. */
export async function enqueue({ hub }: Fixture, count: number): Promise<void> {
  const at = hub.clock.now();
  const caller = `key:${hub.running.hub.keys.current().keyId}`;
  await hub.running.hub.store.write(async ({ knex }) => {
    for (let from = 0; from < count; from += 100) {
      const rows = Array.from({ length: Math.min(100, count - from) }, () => ({
        id: hub.running.hub.ids.uuid(),
        caller,
        network: 'sandbox',
        operation: 'x',
        at,
        resolve_at: at,
        ended_at: at,
        outcome: 'failed',
        why: 'x',
        cost: 0,
        duration_ms: 0,
        response_bytes: 0,
        refused: '[]',
        considered: '[]',
        held: 0,
      }));
      await knex('calls').insert(rows);
    }
  });
}

export function digestsOf(value: unknown): readonly string[] {
  return receiptsIn(value).map(({ text }) => createHash('sha256').update(text).digest('hex'));
}

export async function checkpoint({ anyone }: Fixture, query = ''): Promise<SignedCheckpoint> {
  const { status, text } = await anyone.get(`/api/v1/log/checkpoint${query}`);
  const read = readCheckpoint(text);
  if (status !== 200 || read === undefined) throw new Error(`${status} ${text}`);
  return read;
}

/** The bytes of an answer that is no text. */
export async function bytes(world: Fixture, path: string): Promise<Buffer> {
  const answer = await fetch(`${world.hub.url}/api/v1/log/${path}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Fails unless every leaf is in the entries, and the tiles and the signed root are over them. */
export async function mustBeWhole(world: Fixture): Promise<readonly string[]> {
  const { size, root } = await checkpoint(world);
  const entries: string[] = [];
  for (let tile = 0; tile * TILE_WIDTH < size; tile += 1) {
    const width = widthIn(size, 0, tile);
    const name = tilePath({ tile, width });
    const read = entriesOf(await bytes(world, `tile/entries/${name}`));
    assert.equal(read.length, width);
    const hashes = read.map((entry) => leafHash(Buffer.from(entry)));
    assert.ok(Buffer.concat(hashes).equals(await bytes(world, `tile/0/${name}`)), name);
    entries.push(...read);
  }
  const leaves = entries.map((entry) => leafHash(Buffer.from(entry)));
  assert.deepEqual(Buffer.from(rootOf(leaves)), Buffer.from(root));
  assert.equal(new Set(entries).size, size, 'no leaf is there twice');
  return entries;
}

export function entriesOf(bundle: Buffer): readonly string[] {
  const entries: string[] = [];
  for (let at = 0; at < bundle.length;) {
    const length = bundle.readUInt16BE(at);
    entries.push(bundle.subarray(at + 2, at + 2 + length).toString());
    at += 2 + length;
  }
  return entries;
}
