import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readCheckpoint, readVerifierKey, LOG_KEY } from '../../domain/log/note.ts';
import { isSound } from '../../domain/log/signing.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { receipts, sequence } from './_log.ts';

describe('log.state', () => {
  let world: Fixture;
  const state = async (): Promise<Record<string, unknown>> =>
    mustOk(await world.anyone.get('/api/v1/log'));
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('names a log without leaves before its first checkpoint', async () => {
    const { size, checkpoint, witnesses, origin } = await state();
    assert.deepEqual([size, checkpoint, witnesses], [0, undefined, []]);
    assert.equal(origin, `${new URL(world.hub.url).host}/api/v1/log`);
  });

  it('has the newest checkpoint, and its digest in the clock of the hub', async () => {
    await receipts(world.alice, 3);
    await sequence(world);
    const { size, checkpoint, stamp, issuedAt } = await state();
    assert.equal(size, 3);
    assert.equal(issuedAt, '2026-11-20T10:00:00.000Z');
    const text = readCheckpoint(String(checkpoint))?.text ?? '';
    const digest = createHash('sha256').update(text).digest('hex');
    assert.deepEqual(stamp, { digest, minute: '2026-11-20T10:00:00Z' });
    world.hub.clock.advance(60);
    await world.hub.runJob('pulse');
    const proof = mustOk(await world.anyone.get(`/api/v1/time/stamps/${digest}`));
    assert.equal(proof['promisedMinute'], '2026-11-20T10:00:00Z');
  });

  it('hands out the key of the hub in the form that verifiers of notes take', async () => {
    const { origin, verifierKeys } = await state();
    const [key, ...more] = (verifierKeys as string[]).map(readVerifierKey);
    assert.ok(key !== undefined && isSound(key) && more.length === 0);
    assert.deepEqual([key.name, key.type], [origin, LOG_KEY]);
    const { keys } = mustOk(await world.anyone.get('/keys'));
    assert.equal(at(keys, 0, 'publicKeyHex'), Buffer.from(key.publicKey).toString('hex'));
  });
});
