import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

describe('discovery.keys', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('lists the key that signs the time, with its times', async () => {
    const { keys, count } = mustOk(await world.anyone.get('/keys'));
    const signed = mustOk(await world.anyone.get('/api/v1/time'));
    assert.equal(count, 1);
    assert.equal(at(keys, 0, 'keyId'), at(signed, 'body', 'keyId'));
    assert.equal(at(keys, 0, 'state'), 'active');
    assert.equal(at(keys, 0, 'notBefore'), '2026-11-20T10:00:00.000Z');
    assert.equal(at(keys, 0, 'notAfter'), undefined);
  });

  it('is a page for a person, with the same keys', async () => {
    const { keys } = mustOk(await world.anyone.get('/keys'));
    const request = new Request(`${world.hub.url}/keys`, { headers: { accept: 'text/html' } });
    const page = await world.anyone.send(request);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.ok(page.text.includes(String(at(keys, 0, 'publicKeyHex'))));
  });

  it('names no secret: the file is for its owner alone, and not among the answers', async () => {
    const folder = join(world.hub.running.hub.settings.dataDir, 'keys');
    const files = readdirSync(folder);
    assert.equal(files.length, 1);
    assert.equal(statSync(join(folder, files[0] ?? '')).mode & 0o777, 0o600);
  });
});
