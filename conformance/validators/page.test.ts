import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockOf } from '../discovery/_pages.ts';
import { mustOk } from '../harness/must.ts';
import { hubctl } from '../operator/_operator.ts';
import { COURT_MS_MAX, delivered, openCourt, type PanelDriver } from './_court.ts';
import { measure } from './_measured.ts';

describe('docs/judges.md', function suite() {
  this.timeout(COURT_MS_MAX);
  let driver: PanelDriver;
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
    driver = await openCourt({ judges: 3, databaseUrl: `sqlite:${join(folder, 'hub.sqlite')}` });
    for (let nth = 0; nth < 20; nth += 1) await delivered(driver);
    await driver.sit();
    await measure(driver);
  });
  after(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('lists judges by reliability with the address that it shows', async () => {
    const [, address] =
      /'http:\/\/[^/]+([^']+)'/.exec(blockOf('docs/judges.md: curl -s').text) ?? [];
    assert.ok(address !== undefined);
    const { validators } = mustOk(await driver.world.anyone.get(address));
    const shown = validators as readonly { readonly reliabilityBps?: number }[];
    assert.ok(shown.length > 0 && shown.every(({ reliabilityBps = 0 }) => reliabilityBps > 0));
  });

  it('has cases that hubctl draws from', async () => {
    const file = join(folder, 'cases.json');
    await writeFile(file, blockOf('docs/judges.md: [').text);
    const { code, output } = await hubctl([driver.world], 'plant', 'draw', file);
    assert.equal(code, 0, output);
    assert.match(output, /"answer": "rejected"/);
  });
});
