import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../../clients/typescript/node.ts';
import { makeNextKey } from '../../../workflows/kernel/keys/keys.ts';
import { at, mustHaveConformed, mustOk } from '../../harness/must.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';

const START_MS_MAX = 30_000;
const [FIRST, LOST] = ['11'.repeat(32), '22'.repeat(32)];

/**
 * A hub lives through a gap and a change of keys; the published client finds all that it signed
 * good.
 */
describe('what a hub signs', function suite() {
  this.timeout(START_MS_MAX);
  let folder: string;
  let world: Fixture;
  const get = async (path: string): Promise<Record<string, unknown>> =>
    mustOk(await world.anyone.get(path));
  const stamp = async (digest: string): Promise<unknown> =>
    mustOk(await world.anyone.post('/api/v1/time/stamp', { digest }));
  const proofOf = (promise: unknown): Promise<unknown> => {
    const [digest, pulse] = [at(promise, 'body', 'digest'), at(promise, 'body', 'pulse')];
    return get(`/api/v1/time/stamps/${String(digest)}?pulse=${String(pulse)}`);
  };
  const minutes = async (count: number): Promise<void> => {
    world.hub.clock.advance(60 * count);
    await world.hub.runJob('pulse');
  };
  const good = async (verdict: ReturnType<typeof verify.file>): Promise<void> => {
    const found = await verdict;
    assert.ok(found.ok, JSON.stringify(found));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-verify-'));
    world = await openFixture({ env: { HUB_DATA_DIR: folder } });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
    mustHaveConformed();
  });

  it('verifies for a client that saved its keys', async () => {
    const first = await stamp(FIRST);
    await good(verify.now(await get('/api/v1/time?nonce=before-any-pulse'), await get('/keys')));
    await world.fund(world.alice, '1000000');
    await world.hub.runJob('sealJournal');
    await minutes(1);
    await world.hub.runJob('sealJournal');
    const lost = await stamp(LOST);
    await minutes(5);
    const { hub } = world.hub.running;
    await makeNextKey({ store: hub.store, dataDir: folder, clock: world.hub.clock });
    await minutes(1);
    await minutes(1);
    await world.fund(world.alice, '5');
    await world.hub.runJob('sealJournal');
    await minutes(1);
    await world.hub.runJob('sealJournal');

    const keys = await get('/keys');
    const head = Number(at(await get('/api/v1/time/pulses/head'), 'body', 'seq'));
    const chain = await Promise.all(
      Array.from({ length: head + 1 }, (_, seq) => get(`/api/v1/time/pulses/${seq}`)),
    );
    const pulses = await verify.pulses(chain, keys);
    assert.ok(pulses.ok, JSON.stringify(pulses));
    assert.deepEqual([pulses.count, pulses.missingMinutes, pulses.keyIds.length], [5, 4, 2]);

    const late = await verify.kept(lost, await proofOf(lost), keys);
    assert.ok(late.ok, JSON.stringify(late));
    assert.equal(late.late, true);
    await good(verify.kept(first, await proofOf(first), keys));
    await good(verify.promise(first, keys));
    await good(verify.now(await get('/api/v1/time'), keys));

    const blocks = [await get('/api/v1/economy/seals/0'), await get('/api/v1/economy/seals/1')];
    const seals = await verify.seals(blocks, keys);
    assert.ok(seals.ok, JSON.stringify(seals));
    assert.equal(seals.stamped, 2);
  });
});
