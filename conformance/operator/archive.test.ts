import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { canonical } from '../../domain/json.ts';
import { runCli } from '../../server/cli.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { walletPath } from '../wallet/_signed.ts';

const HOUR = 3_600;

describe('hubctl archive (PostgreSQL)', function suite() {
  this.timeout(60_000);
  let world: Fixture;
  let root: string;
  let env: Record<string, string>;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'hub-test-'));
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: join(root, 'data'), HUB_LOG: 'fatal' };
    world = await openFixture({ databaseUrl });
    for (let hours = 0; hours < 3; hours += 1) await sealedHour();
  });
  after(async () => {
    await world.close();
    await rm(root, { recursive: true });
  });

  /** A payment, its block and the pulse of that. */
  const sealedHour = async (): Promise<string> => {
    await world.fund(world.alice, '1000');
    const idempotencyKey = `pay ${world.hub.clock.now()}`;
    const body = { to: world.bob.account, amount: '7', idempotencyKey };
    const paid = mustOk(await world.alice.post(`${walletPath(world.alice)}/pay`, body));
    // The journal is whole up to a look once every transaction that ran then has ended.
    for (let looks = 0; looks < 3; looks += 1) await world.hub.runJob('sealJournal');
    world.hub.clock.advance(60);
    await world.hub.runJob('pulse');
    await world.hub.runJob('sealJournal');
    world.hub.clock.advance(HOUR);
    return String(paid['transferId']);
  };
  const run = async (...words: readonly string[]) => {
    let output = '';
    const code = await runCli(['archive', ...words], env, (text) => (output += text));
    return { code, output };
  };
  const soon = (): string => new Date(world.hub.clock.now()).toISOString();
  const folder = (name: string): string => join(root, name);

  it('copies blocks with their transfers, and later what is new', async () => {
    const path = folder('grows');
    const first = await run(path, '--until', soon());
    assert.equal(first.code, 0);
    const [, blocks, transfers] = /: (\d+) more blocks with (\d+) transfers in 1 files/.exec(
      first.output,
    ) ?? ['', '0', '0'];
    assert.ok(Number(blocks) >= 3 && Number(transfers) >= 6);
    assert.match((await run(path, '--until', soon())).output, /: 0 more blocks/);
    await sealedHour();
    assert.match((await run(path, '--until', soon())).output, /: [1-9]\d* more blocks/);
    assert.equal((await readdir(path)).length, 2);
    const checked = await run('verify', path);
    assert.equal(checked.code, 0, checked.output);
    assert.match(checked.output, /^\d+ blocks with \d+ transfers hold/);
    assert.match(checked.output, new RegExp(world.hub.running.hub.keys.current().keyId));
  });

  it('has each transfer as the canonical JSON that its digest is of', async () => {
    const memo = 'é \u2028 "\\" \u{1f600}';
    const body = { to: world.bob.account, amount: '7', idempotencyKey: 'memo', memo };
    mustOk(await world.alice.post(`${walletPath(world.alice)}/pay`, body));
    await sealedHour();
    const path = folder('canonical');
    await run(path, '--until', soon());
    const lines = gunzipSync(await readFile(join(path, (await readdir(path))[0] ?? '')));
    const transfers = lines.toString('utf8').trim().split('\n');
    const parsed = transfers.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.ok(parsed.some((each) => each['memo'] === memo));
    assert.deepEqual(
      parsed.filter((each) => !('block' in each)).map(canonical),
      transfers.filter((line) => !line.startsWith('{"block"')),
    );
  });

  it('takes no block of after the moment, and by default none of this month', async () => {
    const path = folder('early');
    assert.match((await run(path, '--until', '2026-01-01T00:00:00Z')).output, /: 0 more blocks/);
    assert.deepEqual(await readdir(path), []);
  });

  it('proves a transfer by its way to a signed block and pulse', async () => {
    const transferId = await sealedHour();
    const path = folder('proves');
    await run(path, '--until', soon());
    const { code, output } = await run('prove', path, transferId);
    assert.equal(code, 0, output);
    const proof = JSON.parse(output) as Record<string, Record<string, unknown>>;
    assert.equal(proof['transfer']?.['id'], transferId);
    assert.equal(proof['transfer']?.['event'], 'wallet.pay');
    const body = proof['seal']?.['body'] as Record<string, unknown>;
    assert.ok(Number(body['toSeq']) >= Number(proof['transfer']?.['seq']));
    const missing = await run('prove', path, '00000000-0000-7000-8000-000000000000');
    assert.equal(missing.code, 1);
    assert.match(missing.output, /^No block/);
  });

  for (const [what, change] of [
    ['an amount that was changed', (text: string) => text.replace('"delta":"7"', '"delta":"8"')],
    ['a transfer that was removed', (text: string) => text.replace(/^\{"actor".*\n/m, '')],
    ['a block that was removed', (text: string) => text.slice(text.indexOf('{"block"', 1))],
    [
      'a signature of another block',
      (text: string) => {
        const all = [...text.matchAll(/"signature":"([^"]+)"/g)].map(([, each]) => each ?? '');
        return text.replace(all[0] ?? '', all[2] ?? '');
      },
    ],
  ] as const) {
    it(`finds ${what}`, async () => {
      const path = folder(what);
      await run(path, '--until', soon());
      const [name = ''] = await readdir(path);
      const file = join(path, name);
      const text = gunzipSync(await readFile(file)).toString('utf8');
      const changed = change(text);
      assert.notEqual(changed, text);
      await writeFile(file, gzipSync(changed));
      const { code, output } = await run('verify', path);
      assert.equal(code, 1);
      assert.match(output, /^Block \d+: it does not hold that/);
    });
  }
});
