import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../server/cli.ts';
import { openFixture } from '../harness/fixture.ts';

const URL_OF_FEED = 'https://registry.example.org/v0.1/servers';

describe('hubctl feed', () => {
  it('adds, shows, runs and removes a feed beside a running hub', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-feed-'));
    const databaseUrl = `sqlite:${join(folder, 'hub.sqlite')}`;
    const world = await openFixture({ databaseUrl, env: { HUB_DATA_DIR: folder } });
    try {
      const lines: string[] = [];
      const run = (...words: string[]): Promise<number> =>
        runCli(['feed', ...words], { HUB_DATABASE_URL: databaseUrl }, (text) => lines.push(text));
      assert.deepEqual([await run('list'), await run('run', URL_OF_FEED)], [0, 1]);
      assert.deepEqual([await run('add', URL_OF_FEED), await run('add', URL_OF_FEED)], [0, 1]);
      assert.equal(await run('add', 'ftp://registry.example.org/'), 2);
      lines.splice(0);
      assert.equal(await run('list'), 0);
      assert.match(
        lines.join(''),
        /registry\.example\.org\/v0\.1\/servers {2}mcp-registry {2}0 names/,
      );
      assert.equal(await run('run', URL_OF_FEED), 0);
      assert.deepEqual(
        [await run('remove', URL_OF_FEED), await run('remove', URL_OF_FEED)],
        [0, 1],
      );
    } finally {
      await world.close();
      rmSync(folder, { recursive: true });
    }
  });
});
