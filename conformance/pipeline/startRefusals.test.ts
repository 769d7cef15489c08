import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../server/config.ts';
import { openHub } from '../../server/open.ts';
import { startRefusal } from '../../server/startRefusal.ts';
import { startHub } from '../harness/hub.ts';

/** A hub that cannot start says in one line what to do, and shows no stack. */
describe('a start that is refused', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-start-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
    const settings = readSettings({ HUB_DATA_DIR: folder, HUB_LOG: 'silent', ...env });
    const thrown: unknown = await openHub({ settings, runJobs: false }).then(
      async (hub) => {
        await hub.close();
        assert.fail('it started');
      },
      (error: unknown) => error,
    );
    const why = startRefusal(thrown, settings);
    assert.ok(why !== undefined, String(thrown));
    assert.ok(!why.includes('\n'), why);
    return why;
  }

  it('names a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const why = await refusalOf({ HUB_PORT: String(port) });
    assert.match(why, /^port \d+ on 127\.0\.0\.1 is in use; .*HUB_PORT/);
    server.close();
  });

  it('names an address that is not of this machine', async () => {
    assert.match(
      await refusalOf({ HUB_HOST: '192.0.2.1', HUB_PORT: '0' }),
      /^192\.0\.2\.1 .*HUB_HOST/,
    );
  });

  it('names a file that is no database', async () => {
    writeFileSync(join(folder, 'hub.sqlite'), 'x'.repeat(10_000));
    assert.match(await refusalOf({ HUB_PORT: '0' }), /hub\.sqlite is damaged .*backup/);
  });

  it('names a database that does not answer', async () => {
    const why = await refusalOf({ HUB_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/db' });
    assert.match(why, /^127\.0\.0\.1:1\/db does not answer/);
    assert.ok(!why.includes('secret'));
  });

  it('says of a setting what form it has', () => {
    assert.throws(
      () => readSettings({ HUB_PORT: 'x' }),
      (error) => startRefusal(error, undefined) === 'HUB_PORT is a number up to 65535',
    );
  });

  it('leaves what nobody expected to its stack', () => {
    const settings = readSettings({});
    assert.equal(startRefusal(new TypeError('bug'), settings), undefined);
  });
});

describe('files of the database', () => {
  it('are for the hub alone to read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-rights-'));
    const databaseUrl = `sqlite:${join(folder, 'hub.sqlite')}`;
    const hub = await startHub({ databaseUrl, env: { HUB_DATA_DIR: folder } });
    const names = readdirSync(folder).filter((name) => name.startsWith('hub.sqlite'));
    assert.ok(names.length > 0);
    for (const name of names) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    }
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
