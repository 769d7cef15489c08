import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../db/store.ts';
import { freePort } from '../../clients/examples/freePort.ts';
import { newAgent, visitor, type Agent, type Answer } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { chat, moneyOf, receiptsOf, until } from './_desk.ts';
import { localProvider, MODEL, startUpstream, upstreamFile } from './_upstream.ts';

const SUITE_MS_MAX = 180_000;

function compress(caller: Agent): Promise<Answer> {
  const text = 'Bitte schreibe eine Liste der 5 Pläne und nicht mehr als das für das mute Team.';
  const body = { caller: caller.account, text, uses: 100_000 };
  return caller.post('/api/v1/services/compress-prompt', body);
}

function killSuite(title: string, databaseUrl: (folder: string) => Promise<string>): void {
  it(`charges what a stream had given, and returns the rest (${title})`, async function run() {
    this.timeout(SUITE_MS_MAX);
    const folder = await mkdtemp(join(tmpdir(), 'hub-kill-model-'));
    const upstream = await startUpstream();
    const never = new Promise<void>(() => undefined);
    upstream.play((body) =>
      JSON.stringify(body).includes('mute')
        ? [{ wait: never }]
        : [{ say: 'one two' }, { wait: never }],
    );
    const models = [{ ...MODEL, rewrites: true }];
    const file = upstreamFile([localProvider(upstream, { models })], [upstream]);
    const env = {
      ...file.env,
      HUB_DATABASE_URL: await databaseUrl(folder),
      HUB_DATA_DIR: folder,
      FAUCET_ENABLED: 'true',
    };
    const port = await freePort();
    const place = { url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } };
    const caller = await newAgent(place);
    const first = await startProcess(env, port);
    const store = await openStore(env.HUB_DATABASE_URL);
    const funds = { amount: '10000', idempotencyKey: 'funds' };
    mustOk(await visitor(place).post(`/api/v1/wallet/${caller.account}/credit`, funds));
    const mute = [{ role: 'user', content: 'mute' }];
    const cutOff = [
      chat(caller, { stream: true }),
      chat(caller, { stream: true, messages: mute }),
      chat(caller),
      compress(caller),
    ].map((each) => each.catch(() => 'gone'));
    const isKnown = async (): Promise<boolean> => {
      const rows = await store.read((db) => db.knex('model_calls').where('output_tokens', '>', 0));
      return rows.length === 1 && upstream.asked.length === 4;
    };
    const early = Promise.race(cutOff).then((answer) => JSON.stringify(answer));
    const isCut = until(isKnown).then(() => 'none');
    assert.equal(await Promise.race([early, isCut]), 'none', 'answered before the kill');
    await first.kill();
    assert.deepEqual(await Promise.all(cutOff), ['gone', 'gone', 'gone', 'gone']);

    // A minute is a call's lease; the next hub is started as if it had passed.
    await store.write((tx) => tx.knex('model_calls').update({ resolve_at: 1 }));
    const second = await startProcess(env, port);
    await until(async () => (await moneyOf(caller)).held === 0n);
    const receipts = await receiptsOf(caller);
    const ends = receipts.map((each) => `${String(each['outcome'])} ${String(each['charged'])}`);
    // Eleven tokens of prompt at 2 and two of answer at 10; tokens that were not streamed reached
    // no caller, a rewriting among them, of which the hub then bears nothing.
    assert.deepEqual(ends.sort(), ['closed-early 42', 'failed 0', 'failed 0', 'failed 0']);
    for (const each of receipts) assert.match(String(at(each, 'reason')), /hub stopped/);
    assert.equal((await moneyOf(caller)).spendable, 9_958n);
    await second.kill();
    await assertBooksBalance(store);
    await store.close();
    await upstream.close();
    file.remove();
    await rm(folder, { recursive: true, force: true });
  });
}

describe('a hub that is killed while models answer', () => {
  for (const [name, url] of DATABASES) killSuite(name, url);
});
