import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { visitor } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { at, mustOk } from '../harness/must.ts';
import { program } from '../harness/program.ts';

const CLI_MS_MAX = 60_000;

describe('a change of keys', function suite() {
  this.timeout(CLI_MS_MAX);
  const folder = mkdtempSync(join(tmpdir(), 'hub-keys-'));
  const env = { HUB_DATA_DIR: folder };
  const databaseUrl = `sqlite:${join(folder, 'hub.sqlite')}`;
  const clock = fakeClock();
  let hub: TestHub;
  let cli = '';
  before(async () => {
    cli = await program('server/cli.ts');
    hub = await startHub({ env, databaseUrl, clock });
  });
  after(async () => {
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const get = async (path: string): Promise<Record<string, unknown>> =>
    mustOk(await visitor(hub).get(path));
  const nextPulse = async (): Promise<Record<string, unknown>> => {
    clock.advance(60);
    await hub.runJob('pulse');
    return get('/api/v1/time/pulses/head');
  };
  const rotate = (): string =>
    execFileSync(process.execPath, [cli, 'key', 'rotate'], {
      env: { PATH: process.env['PATH'], HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: folder },
      encoding: 'utf8',
    });

  it('is announced by a pulse of the old key and carried on by the new one', async () => {
    const before = await nextPulse();
    const old = at(before, 'body', 'keyId');
    rotate();
    const waiting = (await get('/keys'))['keys'];
    assert.deepEqual([at(waiting, 0, 'state'), at(waiting, 0, 'notBefore')], ['next', undefined]);
    const fresh = at(waiting, 0, 'keyId');

    const announcing = await nextPulse();
    assert.deepEqual(
      [at(announcing, 'body', 'keyId'), at(announcing, 'body', 'nextKeyId')],
      [old, fresh],
    );
    const first = await nextPulse();
    assert.equal(at(first, 'body', 'keyId'), fresh);
    assert.equal(at(first, 'body', 'nextKeyId'), undefined);
    assert.equal(at(first, 'body', 'prev'), announcing['digest']);
  });

  it('leaves both keys valid for a minute and then retires the old one', async () => {
    const { keys } = await get('/keys');
    const announced = Date.parse(
      String(at(await get('/api/v1/time/pulses/1'), 'body', 'issuedAt')),
    );
    const from = new Date(announced - 2_000).toISOString();
    assert.equal(at(keys, 0, 'notBefore'), from, 'clocks of two processes may differ so much');
    assert.equal(at(keys, 0, 'announcedIn'), 1);
    const until = new Date(announced + 60_000).toISOString();
    assert.deepEqual([at(keys, 1, 'notAfter'), at(keys, 1, 'state')], [until, 'active']);
    clock.advance(1);
    assert.equal(at(await get('/keys'), 'keys', 1, 'state'), 'retired');
  });

  it('repeats a promise of the old key to the byte', async () => {
    const digest = 'cd'.repeat(32);
    const anyone = visitor(hub);
    clock.advance(59);
    const promised = await anyone.post('/api/v1/time/stamp', { digest });
    rotate();
    clock.advance(5);
    // The pulse of the minute before comes in the minute of the promise, and announces the key.
    await hub.runJob('pulse');
    const again = await anyone.post('/api/v1/time/stamp', { digest: 'ef'.repeat(32) });
    assert.notEqual(at(again.body, 'body', 'keyId'), at(promised.body, 'body', 'keyId'));
    const repeated = await anyone.post('/api/v1/time/stamp', { digest });
    assert.equal(repeated.text, promised.text);
  });

  it('waits for the pulse before another may be made', () => {
    rotate();
    assert.throws(rotate, ({ stdout }: { stdout: string }) => /A key waits already/.test(stdout));
  });

  it('is carried on by a hub that restarts, and by none without its file', async () => {
    await nextPulse();
    const { keyId } = (await nextPulse())['body'] as { readonly keyId: string };
    await hub.close();
    const strange = mkdtempSync(join(tmpdir(), 'hub-keys-'));
    await assert.rejects(
      startHub({ env: { HUB_DATA_DIR: strange }, databaseUrl, clock }),
      new RegExp(`signs with the key ${keyId}, and ${strange}/keys/${keyId}.json is missing`),
    );
    rmSync(strange, { recursive: true, force: true });
    hub = await startHub({ env, databaseUrl, clock });
    assert.equal(at(await nextPulse(), 'body', 'keyId'), keyId);
  });
});
