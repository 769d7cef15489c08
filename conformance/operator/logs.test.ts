import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../clients/examples/freePort.ts';
import { newAgent } from '../harness/agents.ts';
import { program } from '../harness/program.ts';

/** Calls a hub in a process of its own, and returns the lines that it wrote to standard output. */
async function linesOf(
  work: (url: string) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-log-'));
  const port = await freePort();
  const child = spawn(process.execPath, [await program('server/main.ts')], {
    env: { ...process.env, HUB_DATA_DIR: folder, HUB_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const closed = once(child, 'close');
  try {
    const url = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (child.exitCode === null && !(await isReady())) await sleep(20);
    await work(url);
  } finally {
    child.kill('SIGINT');
    await closed;
    rmSync(folder, { recursive: true, force: true });
  }
  const lines = text.split('\n');
  assert.equal(lines.pop(), '', 'the last line is complete');
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

describe('the log of a hub whose standard output is no terminal', () => {
  it('has JSON lines alone, one for each answer with its request id and without the account', async () => {
    const ids: (string | null)[] = [];
    let account = '';
    const lines = await linesOf(async (url) => {
      const agent = await newAgent({ url, clock: Date });
      ({ account } = agent);
      const paths = ['/api/v1/me', `/api/v1/wallet/${account}`, '/nowhere'];
      for (const path of paths) ids.push((await agent.get(path)).headers.get('x-request-id'));
    });
    assert.equal(lines.filter(({ msg }) => msg === 'started').length, 1);
    const requests = lines.filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      requests.map(({ requestId }) => requestId),
      ids,
    );
    assert.deepEqual(
      requests.map(({ level, method, operation, status, code }) => [
        ...[level, method, operation, status, code],
      ]),
      [
        [30, 'GET', 'wallet.me', 200, ''],
        [30, 'GET', 'wallet.read', 200, ''],
        [30, 'GET', 'none', 404, 'no-route'],
      ],
    );
    assert.ok(requests.every(({ ms }) => Number.isInteger(ms)));
    assert.ok(!JSON.stringify(lines).includes(account.replace('key:', '')));
  });

  it('has a line for each request to /admin, and none for what is probed', async () => {
    const token = 'an admin token that is long';
    const lines = await linesOf(
      async (url) => {
        const authorization = `Bearer ${token}`;
        for (const path of ['/admin', '/healthz', '/readyz', '/metrics']) await fetch(url + path);
        await fetch(`${url}/admin`, { headers: { authorization } });
        const body = new URLSearchParams({ action: 'freeze', reason: 'a secret reason' });
        await fetch(`${url}/admin`, {
          method: 'POST',
          body,
          redirect: 'manual',
          headers: { authorization },
        });
      },
      { HUB_ADMIN_TOKEN: token },
    );
    const requests = lines.filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      requests.map(({ method, operation, status }) => [method, operation, status]),
      [
        ['GET', '/admin', 401],
        ['GET', '/admin', 200],
        ['POST', '/admin', 303],
      ],
    );
    assert.ok(!JSON.stringify(requests).includes('secret'));
    assert.ok(!JSON.stringify(lines).includes(token));
  });

  it('has no line for a request when HUB_ACCESS_LOG is false', async () => {
    const lines = await linesOf(
      async (url) => {
        assert.equal((await fetch(`${url}/api/v1`)).status, 200);
      },
      { HUB_ACCESS_LOG: 'false' },
    );
    const messages = lines.map(({ msg }) => msg);
    assert.ok(messages.includes('started') && !messages.includes('request'));
  });
});
