import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentCommands } from '../harness/agentCommands.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

describe('hub world', () => {
  const home = mkdtempSync(join(tmpdir(), 'hub-world-commands-'));
  const commands = agentCommands(home, () => hub.hub.url);
  let hub: Fixture;
  before(async () => {
    hub = await openFixture({ clock: realClock(), env: { HUB_TEST_WORLDS: '1' } });
    await commands.done('init');
  });
  after(async () => {
    await hub.close();
    rmSync(home, { recursive: true, force: true });
  });
  it('opens a world, moves its clock, acts in it and ends it', async () => {
    const opened = await commands.done('world', 'open');
    const [url = ''] = /http\S+\/worlds\/[0-9a-f]{32}/.exec(opened) ?? [];
    assert.match(opened, /\(0 s ahead\)/);
    assert.match(await commands.done('world', 'advance', '7d'), /\(604800 s ahead\)/);
    assert.match(await commands.done('world', 'advance', '90'), /\(604890 s ahead\)/);
    assert.match(await commands.done('me', '--hub', url), /key:/);
    assert.match(await commands.done('world', 'close'), /is closed/);
    const { code, err } = await commands.run('world');
    assert.equal(code, 1);
    assert.match(err, /POST \/api\/v1\/me\/world/);
  });

  it('refuses a time that it cannot read', async () => {
    for (const time of ['soon', '0d', '1.5h', '1w']) {
      const { code, err } = await commands.run('world', 'advance', time);
      assert.equal(code, 2);
      assert.match(err, /90s, 30m, 12h or 7d/);
    }
  });
});
