import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { generateKey, type GeneratedKey } from '../../clients/typescript/sign.ts';
import { agentWith, visitor } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { startProcess, type HubProcess } from '../kinds/kill/process.ts';
import { bytesOf, filePath } from './file.ts';
import { uploadStreamed } from './streamed.ts';

const MEGABYTE = 1_048_576;
const BYTES = 32 * MEGABYTE;
const AT_ONCE = 8;
/** Eight bodies have 344 MB; what a process grows by for other reasons is far below. */
const GROWTH_MAX = 96 * MEGABYTE;

/** Bytes of memory that a process has now. */
function residentOf({ pid }: HubProcess): number {
  return (
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1_024
  );
}

describe('a hub that takes files of 32 MB', function suite() {
  this.timeout(240_000);
  let dataDir = '';
  let hub: HubProcess;
  const keys: GeneratedKey[] = [];
  const letters = Buffer.from(bytesOf(BYTES, 3).toString('base64'));
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'hub-flat-'));
    const env = {
      HUB_DATABASE_URL: `sqlite:${join(dataDir, 'hub.sqlite')}`,
      HUB_DATA_DIR: dataDir,
      HUB_RATE_LIMITS: 'false',
      FAUCET_ENABLED: 'true',
    };
    hub = await startProcess(env, await freePort());
    const anyone = visitor({ url: hub.url, clock: { now: () => Date.now() } });
    for (let n = 0; n < AT_ONCE; n += 1) {
      const key = await generateKey();
      const fund = { amount: '1000000', idempotencyKey: `flat-${n}` };
      mustOk(await anyone.post(`/api/v1/wallet/${key.account}/credit`, fund));
      keys.push(key);
    }
  });
  after(async () => {
    await hub.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('stays flat with eight uploads at once, has them on disk as they arrive, and answers others', async () => {
    const [first] = keys;
    assert.ok(first !== undefined);
    const { url } = hub;
    const anyone = visitor({ url, clock: { now: () => Date.now() } });
    const warm = await uploadStreamed({ url, key: first, fileKey: 'warm', letters });
    assert.equal(warm.status, 200, warm.text);
    const before = residentOf(hub);
    let arrived = 0;
    let all = (): void => undefined;
    const everybody = new Promise<void>((resolve) => (all = resolve));
    let goOn = (): void => undefined;
    const seen = new Promise<void>((resolve) => (goOn = resolve));
    const inTheMiddle = async (): Promise<void> => {
      arrived += 1;
      if (arrived === AT_ONCE) all();
      await seen;
    };
    const uploads = keys.map((key) =>
      uploadStreamed({ url, key, fileKey: 'flat', letters, inTheMiddle }),
    );
    await Promise.race([everybody, Promise.all(uploads)]);
    assert.equal(arrived, AT_ONCE, 'all of them are under way at once');
    assert.equal((await anyone.get('/api/v1')).status, 200);
    const inTheMiddleNow = residentOf(hub);
    const folder = join(dataDir, 'uploads');
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
    );
    goOn();
    for (const { status, text } of await Promise.all(uploads)) assert.equal(status, 200, text);
    assert.equal(sizes.length, AT_ONCE);
    for (const size of sizes) assert.ok(size > BYTES / 4, `${size} bytes on disk at half`);
    const grown = Math.max(inTheMiddleNow, residentOf(hub)) - before;
    assert.ok(grown < GROWTH_MAX, `grew by ${Math.round(grown / MEGABYTE)} MB`);
  });

  it('stays flat with eight downloads at once that are read slowly', async () => {
    const before = residentOf(hub);
    const answers = await Promise.all(
      keys.map(async (key) => {
        const agent = agentWith({ url: hub.url, clock: { now: () => Date.now() } }, key);
        return fetch(await agent.signed('GET', filePath(agent, 'flat')));
      }),
    );
    // Nothing was read yet: the growth is memory that the hub holds.
    const grown = residentOf(hub) - before;
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      let length = 0;
      for await (const piece of answer.body ?? []) length += (piece as Uint8Array).length;
      assert.ok(length > letters.length);
    }
    const after = Math.max(grown, residentOf(hub) - before);
    assert.ok(after < GROWTH_MAX, `grew by ${Math.round(after / MEGABYTE)} MB`);
  });
});
