import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNextKey } from '../../workflows/kernel/keys/keys.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { checkpoint, receipts, sequence } from './_log.ts';

const PATH = '/api/v1/log/checkpoint';
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

describe('log.checkpoint', () => {
  let world: Fixture;
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-log-'));
    world = await openFixture({ env: { HUB_DATA_DIR: folder } });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is refused before the first, and then signs the empty tree', async () => {
    const { hint } = mustRefuse(await world.anyone.get(PATH), 404, 'not-found');
    assert.match(String(hint), /within ten seconds/);
    await sequence(world);
    const empty = await checkpoint(world);
    assert.equal(empty.size, 0);
    assert.equal(
      Buffer.from(empty.root).toString('hex'),
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('is a note of text that a cache keeps for two seconds', async () => {
    await receipts(world.alice, 2);
    await sequence(world);
    const answer = await world.anyone.get(PATH);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=2');
    assert.equal((await checkpoint(world)).size, 2);
  });

  it('stays the same while nothing is new', async () => {
    const before = (await world.anyone.get(PATH)).text;
    world.hub.clock.advance(60);
    await sequence(world);
    assert.equal((await world.anyone.get(PATH)).text, before);
  });

  it('is signed by the former key as well after a change of keys', async () => {
    const { hub } = world.hub.running;
    await makeNextKey({ store: hub.store, dataDir: folder, clock: world.hub.clock });
    for (let minutes = 0; minutes < 3; minutes += 1) {
      world.hub.clock.advance(60);
      await world.hub.runJob('pulse');
    }
    await receipts(world.alice, 1);
    await sequence(world);
    const { text, signatures } = await checkpoint(world);
    const keys = (mustOk(await world.anyone.get('/keys'))['keys'] as unknown[]).map((key) =>
      Buffer.from(String(at(key, 'publicKeyHex')), 'hex'),
    );
    assert.equal(signatures.length, 2);
    for (const key of keys) {
      const publicKey = createPublicKey({
        key: Buffer.concat([SPKI, key]),
        format: 'der',
        type: 'spki',
      });
      const signed = signatures.filter(({ signature }) =>
        verify(null, Buffer.from(text), publicKey, signature),
      );
      assert.equal(signed.length, 1);
    }
  });

  it('refuses to name one that no witness has signed', async () => {
    mustRefuse(await world.anyone.get(`${PATH}?witnesses=1`), 404, 'not-found');
    for (const count of ['-1', '17', 'all', '1.5']) {
      assert.equal((await world.anyone.get(`${PATH}?witnesses=${count}`)).status, 400);
    }
  });
});
