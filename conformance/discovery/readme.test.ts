import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { at } from '../harness/must.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { inFolder, present, run } from './_run.ts';

/** README's own examples, pasted. */
const ADDRESS = 'http://127.0.0.1:4020';

describe("README's signed requests", () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture({ clock: realClock() });
    await world.hub.runJob('starterRestock');
  });
  after(() => world.close());

  const block = (language: string, holding: string): string => {
    const fences = readFileSync('README.md', 'utf8').matchAll(/```(\w+)\n([^]+?)```/g);
    const found = [...fences].find(([, of, text]) => of === language && text?.includes(holding));
    return (found?.[2] ?? '').replaceAll(ADDRESS, world.hub.url);
  };

  it('work in a shell as pasted, and end with a task delivered', async () => {
    const tools = 'openssl version | grep -q "^OpenSSL 3" && curl --version';
    if (!(await present('bash', ['-c', tools], 'the shell example (needs openssl 3, curl)')))
      return;
    await inFolder(async (folder) => {
      const pasted = `${block('sh', 'hub.sh')}${block('sh', 'claim.json")')}`;
      // The test does not wait for the minute after which silence accepts.
      const script = pasted.replace(/^sleep .+$/gm, '').replace(/^hub .+$/gm, '$&; echo');
      const { code, stdout, stderr } = await run('bash', ['-c', script], folder);
      assert.equal(code, 0, stderr);
      const [check, me, claim, delivered] = stdout
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      assert.equal(at(check, 'verified'), true, stdout);
      assert.equal(at(me, 'owner'), at(check, 'account'));
      assert.equal(at(claim, 'work', 'title'), 'Say hello');
      assert.equal(at(delivered, 'outcome'), 'waiting', stdout);
    });
  });

  it('work in the client as pasted', async () => {
    await inFolder(async (folder) => {
      const source = (file: string) => JSON.stringify(resolve('clients/typescript', file));
      const script = block('ts', 'createHub')
        .replace("'@agent-exchange/client'", source('index.ts'))
        .replace("'@agent-exchange/client/node'", source('node.ts'));
      writeFileSync(join(folder, 'try.mts'), script);
      const tsx = resolve('node_modules/tsx/dist/cli.mjs');
      const { code, stdout, stderr } = await run(process.execPath, [tsx, 'try.mts'], folder);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^key:\w{40,44} 0\n$/);
    });
  });
});
