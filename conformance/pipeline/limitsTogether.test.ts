import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { until } from '../harness/waiting.ts';
import { startProcess, type HubProcess } from '../kinds/kill/process.ts';

/** One visitor and two processes of one hub (choices pipeline.limits). */
const QUOTA = 300;
const REFILL_PER_SECOND = QUOTA / 60;
const SUITE_MS_MAX = 60_000;
/** The lag that the exchange may have, beside what refills meanwhile. */
const FACTOR = 1.25;

describe('the limits of two processes on one PostgreSQL', function suite() {
  this.timeout(SUITE_MS_MAX);
  let folder: string;
  let hubs: readonly HubProcess[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-limits-'));
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: folder, HUB_RATE_LIMITS: 'true' };
    const start = async (): Promise<HubProcess> => startProcess(env, await freePort());
    hubs = [await start(), await start()];
  });
  after(async () => {
    for (const hub of hubs) await hub.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('let a visitor that asks both no more through than the stated factor of one', async () => {
    const [first, second] = hubs;
    assert.ok(first !== undefined && second !== undefined);
    const began = performance.now();
    let through = 0;
    const ask = async ({ url }: HubProcess): Promise<Response> => {
      const answer = await fetch(`${url}/api/v1/networks`);
      await answer.text();
      if (answer.ok) through += 1;
      return answer;
    };
    const left = (answer: Response): number => Number(answer.headers.get('x-ratelimit-remaining'));
    for (let n = 0; n < 200; n += 1) await ask(first);
    await until(async () => left(await ask(second)) < QUOTA / 2);
    for (const hub of [second, first]) {
      while ((await ask(hub)).ok) continue;
    }
    const refills = ((performance.now() - began) / 1000) * REFILL_PER_SECOND;
    // Whether a process was ready was asked as well, and was let through without being counted here.
    assert.ok(through >= QUOTA / 2, `${through} were let through`);
    assert.ok(through <= QUOTA * FACTOR + 2 * refills, `${through} were let through`);
  });
});
