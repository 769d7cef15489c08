import assert from 'node:assert/strict';
import { rootOf } from '../../domain/time/merkle.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';
import { bytes, enqueue, mustBeWhole, sequence } from './_log.ts';

const TILE = '/api/v1/log/tile';

describe('log.tile', function suite() {
  this.timeout(60_000);
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await enqueue(world, 300);
    await sequence(world);
  });
  after(() => world.close());

  it('has full tiles, and every narrower one as the beginning of a wider', async () => {
    const full = await bytes(world, 'tile/0/000');
    assert.equal(full.length, 8_192);
    for (const width of [1, 100, 200, 255]) {
      const partial = await bytes(world, `tile/0/000.p/${width}`);
      assert.ok(partial.equals(full.subarray(0, 32 * width)));
    }
    assert.equal((await bytes(world, 'tile/0/001.p/44')).length, 32 * 44);
  });

  it('has the roots of full tiles one level up', async () => {
    const full = await bytes(world, 'tile/0/000');
    const hashes = Array.from({ length: 256 }, (_, n) => full.subarray(32 * n, 32 * (n + 1)));
    assert.ok((await bytes(world, 'tile/1/000.p/1')).equals(Buffer.from(rootOf(hashes))));
    await mustBeWhole(world);
  });

  it('lets a cache keep a full tile for a year, and a partial one for an hour', async () => {
    const answer = async (path: string) => fetch(`${world.hub.url}${TILE}/${path}`);
    const full = await answer('0/000');
    assert.equal(full.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(full.headers.get('content-type'), 'application/octet-stream');
    const partial = await answer('0/000.p/7');
    assert.equal(partial.headers.get('cache-control'), 'public, max-age=3600, immutable');
  });

  it('takes slashes as they are and percent-encoded', async () => {
    const plain = await bytes(world, 'tile/0/000.p/7');
    assert.ok(plain.equals(await bytes(world, 'tile/0/000.p%2F7')));
  });

  it('refuses a name that no tile has', async () => {
    const names = [
      '0/0',
      '0/1',
      '0/000.p/0',
      '0/000.p/256',
      '0/000.p/007',
      '0/x000/001',
      '0/001/000',
    ];
    const long = [
      `0/${'x999%2F'.repeat(9)}999`,
      `0/${'9'.repeat(400)}`,
      '0/%2e%2e%2f000',
      '0/000.p',
    ];
    const levels = ['64/000', '00/000', '-1/000', 'entry/000', '1e1/000'];
    for (const name of [...names, ...long, ...levels]) {
      mustRefuse(await world.anyone.get(`${TILE}/${name}`), 400, 'bad-tile');
    }
    for (const path of ['0', '0/', `0/${'x001/'.repeat(40)}001`]) {
      assert.equal((await world.anyone.get(`${TILE}/${path}`)).status, 404, path);
    }
  });

  it('has no tile that the tree does not have yet', async () => {
    for (const name of ['0/001', '0/001.p/45', '0/002.p/1', '1/000.p/2', '2/000.p/1', '63/000']) {
      mustRefuse(await world.anyone.get(`${TILE}/${name}`), 404, 'not-found');
    }
    const far = '0/x999/x999/x999/x999/999.p/255';
    mustRefuse(await world.anyone.get(`${TILE}/${far}`), 404, 'not-found');
  });

  it('answers thousands of requests without holding up others', async () => {
    let worst = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      worst = Math.max(worst, now - seen);
      seen = now;
    }, 1);
    let seen = performance.now();
    const ask = async (n: number): Promise<void> => {
      const answer = await fetch(`${world.hub.url}${TILE}/0/000.p/${1 + (n % 255)}`);
      assert.equal((await answer.arrayBuffer()).byteLength, 32 * (1 + (n % 255)));
    };
    for (let round = 0; round < 50; round += 1) {
      await Promise.all(Array.from({ length: 40 }, (_, n) => ask(40 * round + n)));
    }
    clearInterval(timer);
    assert.ok(worst < 1_000, `${worst} ms`);
  });
});
