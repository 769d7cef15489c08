import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listedSkill, probedListing } from '../../db/registry/fixture.ts';
import { saveListing } from '../../db/registry/listings.ts';
import { openStore } from '../../db/store.ts';
import { atomic } from '../../domain/money.ts';
import { newAgent, visitor } from '../harness/agents.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { DATABASES } from '../harness/databases.ts';
import { freePort } from '../../clients/examples/freePort.ts';
import { at, mustOk } from '../harness/must.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { startAgent } from './_agent.ts';

const SUITE_MS_MAX = 120_000;

function killSuite(title: string, databaseUrl: (folder: string) => Promise<string>): void {
  it(`gives back what a killed hub held for a call (${title})`, async function run() {
    this.timeout(SUITE_MS_MAX);
    const folder = await mkdtemp(join(tmpdir(), 'hub-kill-call-'));
    const agent = await startAgent({ job: () => new Promise(() => undefined) });
    const env = {
      HUB_DATABASE_URL: await databaseUrl(folder),
      HUB_DATA_DIR: folder,
      HUB_ALLOW_PRIVATE_HOSTS: agent.site.pair,
      FAUCET_ENABLED: 'true',
    };
    const port = await freePort();
    const place = { url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } };
    const [caller, holder] = [await newAgent(place), await newAgent(place)];
    const first = await startProcess(env, port);
    const store = await openStore(env.HUB_DATABASE_URL);
    const listing = probedListing({ origin: agent.site.url, endpoint: agent.endpoint });
    const price = { amount: atomic(1000n), asset: 'USDC' };
    await store.write(async (tx) => {
      await saveListing(tx, { listing, skills: [listedSkill('job', { access: 'paid', price })] });
      const held = { passport_key_id: holder.keyId, verification: 'dns' };
      await tx.knex('listings').where({ id: listing.id }).update(held);
    });
    const funds = { amount: '1500', idempotencyKey: 'funds' };
    mustOk(await visitor(place).post(`/api/v1/wallet/${caller.account}/credit`, funds));
    const same = { agentId: listing.id, operation: 'job', maxPrice: '1000', idempotencyKey: 'one' };
    const body = { caller: caller.account, ...same };
    const cutOff = caller.post('/api/v1/call', body).catch(() => 'gone');
    while (agent.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await first.kill();
    assert.equal(await cutOff, 'gone');

    // A call has 90 s; the next hub is started as if they had passed.
    await store.write((tx) => tx.knex('calls').update({ resolve_at: 1 }));
    const second = await startProcess(env, port);
    const held = async (): Promise<unknown> =>
      at(mustOk(await caller.get(`/api/v1/wallet/${caller.account}`)), 'held', 'total');
    while ((await held()) !== '0') await new Promise((resolve) => setTimeout(resolve, 20));
    const again = mustOk(await caller.post('/api/v1/call', body));
    assert.deepEqual(
      [at(again, 'receipt', 'outcome'), at(again, 'receipt', 'cost'), again['repeated']],
      ['unknown', '0', true],
    );
    assert.equal(agent.calls.length, 1, 'a repeat makes no call');
    await second.kill();
    await assertBooksBalance(store);
    await store.close();
    await closeSites();
    await rm(folder, { recursive: true, force: true });
  });
}

describe('a hub that is killed while an agent works', () => {
  for (const [name, url] of DATABASES) killSuite(name, url);
});
