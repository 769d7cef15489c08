import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { startPostgres, type RunningPostgres } from '../harness/postgres.ts';
import { until } from '../harness/waiting.ts';

/** The name that clients of PostgreSQL look for in the folder of a server. */
const SOCKET = '.s.PGSQL.5432';

/** A node whose machine can be lost: connections to it stay open, and nothing comes any more. */
describe('a PostgreSQL of which one node falls silent', function suite() {
  this.timeout(120_000);
  let server: RunningPostgres;
  let folder: string;
  let node: Server;
  let world: Fixture | undefined;
  const open = new Set<Socket>();
  let isSilent = false;
  before(async () => {
    server = await startPostgres();
    folder = mkdtempSync(join(tmpdir(), 'hub-silent-'));
    node = createServer((near) => {
      const far = connect(join(server.folder, SOCKET));
      for (const each of [near, far]) {
        open.add(each);
        each
          .on('error', () => undefined)
          .once('close', () => [near, far].forEach((s) => s.destroy()));
      }
      if (!isSilent) near.pipe(far).pipe(near);
    }).listen(join(folder, SOCKET));
  });
  after(async () => {
    await world?.close();
    for (const socket of open) socket.destroy();
    node.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is left for the next one, with what waited for it answered', async () => {
    const url = await server.freshDatabase();
    const silent = encodeURIComponent(folder);
    world = await openFixture({ databaseUrl: url.replace('?host=', `?host=${silent},`) });
    const { alice, bob } = world;
    await world.fund(alice, '1000');
    assert.ok(open.size > 0, 'the hub uses the first node');
    isSilent = true;
    for (const socket of open) socket.unpipe().pause();
    const body = { to: bob.account, amount: '10', idempotencyKey: 'silent' };
    const pay = () => alice.post(`/api/v1/wallet/${alice.account}/pay`, body);
    const waited = await pay();
    assert.ok([200, 503].includes(waited.status), waited.text);
    await until(async () => (await pay()).status === 200);
    assert.equal(mustOk(await alice.get(`/api/v1/wallet/${alice.account}`))['balance'], '990');
  });
});
