import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHub, unwrap } from '../../../clients/typescript/index.ts';
import { generateKey } from '../../../clients/typescript/sign.ts';
import { installDebian } from '../../../tools/installDebian.mjs';
import { startHub } from '../../kinds/dredd/hub.mjs';

/**
 * `npm run log:go`: the Go checksum database's packages read a hub's log of some hundred receipts
 * (`main.go`). It installs Go where that is missing and this is a Debian as root. Exit codes: 0 all
 * held, 1 it did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const RECEIPTS = 300;
const AT_ONCE = 20;
const LOGGED_MS_MAX = 60_000;

installDebian('log:go', [['go', 'golang-go']]);

const hub = await startHub();
try {
  const key = await generateKey();
  const client = createHub({ baseUrl: hub.url, key });
  const call = async (n) => {
    const body = { caller: key.account, operation: 'nothing', idempotencyKey: `go-${n}` };
    unwrap(await client.POST('/api/v1/call', { body: { ...body, arguments: {} } }));
  };
  for (let n = 0; n < RECEIPTS; n += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => call(n + place)));
  }
  const until = Date.now() + LOGGED_MS_MAX;
  let state = unwrap(await client.GET('/api/v1/log'));
  while (state.size < RECEIPTS && Date.now() < until) {
    await sleep(500);
    state = unwrap(await client.GET('/api/v1/log'));
  }
  const [vkey = ''] = state.verifierKeys;
  const words = ['run', '.', `${hub.url}/api/v1/log`, vkey];
  const env = { ...process.env, GOFLAGS: '-mod=readonly' };
  const { status } = spawnSync('go', words, { cwd: here, env, stdio: 'inherit' });
  for (const line of hub.errors()) console.log(`The hub logged: ${line}`);
  process.exitCode = status === 0 && hub.errors().length === 0 ? 0 : 1;
} finally {
  await hub.stop();
}
