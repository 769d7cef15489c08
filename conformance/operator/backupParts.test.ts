import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../server/cli.ts';
import { bytesOf, filePath, putFile, sha256Of } from '../files/file.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { grantTo, makeSpace, writeNote, type MadeSpace } from '../memory/space.ts';

for (const [name, databaseIn] of DATABASES) {
  describe(`one account of a backup, and its drill (${name})`, function suite() {
    this.timeout(60_000);
    let root: string;
    let world: Fixture;
    let space: MadeSpace;
    let backup: string;
    const content = bytesOf(3_000, 7);
    const hubctl = async (...words: readonly string[]) => {
      const { databaseUrl, dataDir } = world.hub.running.hub.settings;
      const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: dataDir };
      let output = '';
      const code = await runCli(words, env, (text) => (output += text));
      return { code, output };
    };

    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'hub-parts-'));
      const databaseUrl = await databaseIn(root);
      world = await openFixture({ databaseUrl, env: { HUB_DATA_DIR: join(root, 'data') } });
      const { alice, bob } = world;
      for (const each of [alice, bob]) await world.fund(each, '10000000');
      space = await makeSpace(alice, 'shared');
      mustOk(await grantTo(alice, space, bob.account));
      for (let n = 0; n < 120; n += 1) mustOk(await writeNote(alice, space, `note ${n}\tof "120"`));
      const other = await makeSpace(bob);
      mustOk(await writeNote(bob, other, 'of another account'));
      mustOk(await putFile(alice, 'reports/2026 a', content));
      mustOk(await putFile(bob, 'private', bytesOf(10, 1)));
      backup = join(root, 'backup');
      assert.equal((await hubctl('backup', backup)).code, 0);
    });
    after(async () => {
      await world.close();
      await rm(root, { recursive: true, force: true });
    });

    it('is verified by a restore into a folder that is gone afterwards', async () => {
      const { code, output } = await hubctl('backup', 'verify', backup);
      assert.equal(code, 0, output);
      assert.match(output, /The books balance\.\n/);
      assert.match(
        output,
        /is good: \d+ parts read and restored in [\d.]+ s, recounted in [\d.]+ s\./,
      );
      const left = (await readdir(tmpdir())).filter((each) =>
        each.startsWith(`hub-verify-${process.pid}-`),
      );
      assert.deepEqual(left, []);
    });

    it('gives the notes and files of one account, which puts them back', async () => {
      const { alice } = world;
      mustOk(await alice.post(`${space.path}/delete`, { owner: alice.account }));
      mustOk(await alice.post(`${filePath(alice, 'reports/2026 a')}/delete`, {}));
      const into = join(root, 'alice');
      const { code, output } = await hubctl(
        'restore',
        backup,
        '--into',
        into,
        '--account',
        alice.account,
      );
      assert.equal(code, 0, output);
      assert.match(output, /: 1 spaces with 120 notes and 1 files, as of /);
      assert.deepEqual((await readdir(into)).sort(), ['files', 'notes']);
      mustRefuse(await alice.get(filePath(alice, 'reports/2026 a')), 404, 'not-found');

      const again = await makeSpace(alice, 'shared');
      const lines = await readFile(join(into, 'notes', `${space.id}.ndjson`), 'utf8');
      const all = lines.trimEnd().split('\n');
      const bring = async (some: readonly string[]) => {
        const body = { owner: alice.account, lines: some.join('\n') };
        return mustOk(await alice.post(`${again.path}/import`, body));
      };
      assert.equal((await bring(all.slice(0, 100)))['added'], 99);
      const rest = await bring(all.slice(100));
      assert.deepEqual([rest['added'], rest['grants']], [21, 1]);
      const [file = '', ...more] = await readdir(join(into, 'files'));
      assert.deepEqual([file, more], ['reports%2F2026%20a', []]);
      const bytes = await readFile(join(into, 'files', file));
      const stored = mustOk(await putFile(alice, decodeURIComponent(file), bytes));
      assert.deepEqual([stored['sha256'], stored['owner']], [sha256Of(content), alice.account]);
    });

    it('names what a backup lacks: contents of a file, and the key that signs', async () => {
      const manifest = join(backup, 'manifest.json');
      const text = await readFile(manifest, 'utf8');
      const whole = JSON.parse(text) as { parts: { path: string }[] };
      const lost = whole.parts.filter(({ path }) => /^(?:files|keys)\//.test(path));
      assert.equal(lost.length, 3);
      await writeFile(
        manifest,
        JSON.stringify({ ...whole, parts: whole.parts.filter((each) => !lost.includes(each)) }),
      );
      for (const { path } of lost) await rm(join(backup, path));
      const { code, output } = await hubctl('backup', 'verify', backup);
      assert.equal(code, 1, output);
      assert.match(output, /\.json is missing/);
      assert.match(output, /the contents of 2 files are missing: /);
      assert.match(output, /is not good: /);
      const into = join(root, 'lost');
      const taken = await hubctl(
        'restore',
        backup,
        '--account',
        world.alice.account,
        '--into',
        into,
      );
      assert.equal(taken.code, 1, taken.output);
      assert.match(taken.output, /The contents of "reports\/2026 a" are not in the backup\./);
    });

    it('refuses an account that is none, a folder that is not empty and half of the options', async () => {
      const named = await hubctl('restore', backup, '--account', 'x', '--into', join(root, 'x'));
      assert.deepEqual([named.code, /x is no account/.test(named.output)], [2, true]);
      const full = await hubctl(
        'restore',
        backup,
        '--account',
        world.alice.account,
        '--into',
        root,
      );
      assert.deepEqual([full.code, /is not empty/.test(full.output)], [2, true]);
      assert.equal((await hubctl('restore', backup, '--into', join(root, 'x'))).code, 2);
      assert.match((await hubctl('backup', 'verify', root)).output, /no backup ended there/);
    });
  });
}
