import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../clients/examples/freePort.ts';
import { newAgent } from '../harness/agents.ts';
import { startHub } from '../harness/hub.ts';
import { program } from '../harness/program.ts';
import { seated, until } from '../harness/waiting.ts';

/** One connection that the client keeps open. */
const connection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });

/** The status of an answer, and what it says about its connection. */
async function ask(url: string, agent: Agent): Promise<readonly unknown[]> {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await text(answer);
  return [answer.statusCode, answer.headers.connection];
}

describe('a hub that drains', () => {
  it('refuses new connections at the end, and closes open ones with an answer', async () => {
    const hub = await startHub();
    const index = `${hub.url}/api/v1`;
    const [used, idle] = [connection(), connection()];
    for (const agent of [used, idle]) {
      assert.deepEqual(await ask(index, agent), [200, 'keep-alive']);
    }
    const claim = (await newAgent(hub)).post('/api/v1/tasks/claim?wait=30', {});
    await seated(hub, 1);
    const drained = hub.running.drain(2_000);
    assert.deepEqual(await ask(index, used), [200, 'keep-alive']);
    await until(() =>
      ask(index, connection()).then(
        () => false,
        () => true,
      ),
    );
    for (const agent of [used, idle]) assert.deepEqual(await ask(index, agent), [200, 'close']);
    await drained;
    await hub.close();
    const { status, headers, body } = await claim;
    assert.deepEqual([status, headers.get('connection'), body['work']], [200, 'close', null]);
  });
});

describe('the process of a hub', () => {
  let folder: string;
  let child: ChildProcess;
  let url: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-signal-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    child = spawn(process.execPath, [await program('server/main.ts')], {
      env: { ...process.env, HUB_DATA_DIR: folder, HUB_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.resume();
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const readiness = (): Promise<number> =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );

  it('is not ready after SIGTERM, serves some seconds more and ends by itself', async () => {
    await until(async () => (await readiness()) === 200);
    const gone = once(child, 'exit');
    const beganAt = performance.now();
    child.kill('SIGTERM');
    await until(async () => (await readiness()) === 503);
    assert.equal((await fetch(`${url}/api/v1`)).status, 200);
    assert.deepEqual(await gone, [0, null]);
    assert.ok(performance.now() - beganAt >= 5_000, 'HUB_DRAIN_SECONDS is 5 where nothing is set');
  });

  it('ends at once after SIGINT', async () => {
    await until(async () => (await readiness()) === 200);
    const gone = once(child, 'exit');
    child.kill('SIGINT');
    assert.deepEqual(await gone, [0, null]);
  });

  it('handles SIGTERM during its start, as the first process of a container must', async () => {
    const gone = once(child, 'exit');
    // Its folder is made first, long before it listens.
    await until(() => child.exitCode === null && existsSync(join(folder, 'hub.sqlite')));
    child.kill('SIGTERM');
    assert.deepEqual(await gone, [0, null]);
  });
});
