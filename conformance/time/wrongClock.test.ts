import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import type { FakeClock } from '../harness/clock.ts';
import { DATABASES } from '../harness/databases.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { mustRefuse } from '../harness/must.ts';
import { digestOf, timeApp, wrongBy, type TimeApp } from './_site.ts';
import { mustBeChain, mustBeTime } from './_verify.ts';

const START_MS_MAX = 60_000;
const TEN_MINUTES = 600_000;

for (const [name, freshUrl] of DATABASES) {
  describe(`a process whose clock is wrong (${name})`, function suite() {
    this.timeout(START_MS_MAX);
    const hubs: TestHub[] = [];
    let folder: string;
    let databaseUrl: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'hub-clock-'));
      databaseUrl = await freshUrl(folder);
    });
    afterEach(async () => {
      for (const hub of hubs.splice(0)) await hub.close();
      await rm(folder, { recursive: true, force: true });
    });
    const start = async (clock: FakeClock): Promise<TimeApp & { readonly metrics: string }> => {
      const port = String(await freePort());
      const env = { HUB_DATA_DIR: folder, HUB_METRICS_PORT: port };
      const hub = await startHub({ clock, databaseUrl, comparesClock: true, env });
      hubs.push(hub);
      return { ...timeApp(hub), metrics: `http://127.0.0.1:${port}/metrics` };
    };
    const ready = async ({ hub }: TimeApp): Promise<readonly [number, string]> => {
      const answer = await fetch(`${hub.url}/readyz`);
      return [answer.status, await answer.text()];
    };
    const metricsOf = async ({ metrics }: { readonly metrics: string }): Promise<string> =>
      (await fetch(metrics)).text();

    for (const [aheadMs, way] of [
      [TEN_MINUTES, 'ahead of'],
      [-TEN_MINUTES, 'behind'],
      [40_000, 'ahead of'],
    ] as const) {
      it(`is not ready from its start when it is off by ${aheadMs / 1000} s, and shows why`, async () => {
        const app = await start(wrongBy(aheadMs));
        const [status, text] = await ready(app);
        assert.equal(status, 503);
        assert.match(text, new RegExp(`^wrong clock: \\d+ s ${way} `));
        assert.match(await metricsOf(app), /^hub_clock_wrong 1$/m);
        mustRefuse(await app.stamp(digestOf('a')), 503, 'clock-stepped');
        const signed = await app.now();
        mustBeTime(signed);
        assert.equal(signed.body.chain.state, 'stalled');
        assert.match(signed.body.chain.reason ?? '', /^clock-wrong: /);
      });
    }

    it('signs no pulse, and stalls no process whose clock is right', async () => {
      const ahead = await start(wrongBy(TEN_MINUTES));
      ahead.hub.clock.advance(120);
      await ahead.issue();
      assert.equal((await ahead.get('/api/v1/time/pulses/head')).status, 404);
      const right = await start(wrongBy(0));
      assert.deepEqual(await ready(right), [200, 'ready\n']);
      await right.promise(digestOf('a'));
      assert.equal((await right.now()).body.chain.state, 'live');
    });

    it('is noticed at once when it was set while the process ran', async () => {
      const app = await start(wrongBy(-90_000));
      app.hub.clock.jump(90_000);
      assert.deepEqual(await ready(app), [200, 'ready\n']);
      app.hub.clock.jump(TEN_MINUTES);
      mustRefuse(await app.stamp(digestOf('a')), 503, 'clock-stepped');
      await app.issue();
      app.hub.clock.advance(60);
      await app.issue();
      assert.equal((await ready(app))[0], 503);
      assert.equal((await app.get('/api/v1/time/pulses/head')).status, 404);
      app.hub.clock.jump(-TEN_MINUTES - 60_000);
      await app.hub.runJob('healthCheck');
      assert.deepEqual(await ready(app), [200, 'ready\n']);
    });

    it('goes on when it is off by some seconds, which its metrics show', async () => {
      const app = await start(wrongBy(5_000));
      assert.deepEqual(await ready(app), [200, 'ready\n']);
      const page = await metricsOf(app);
      assert.match(page, /^hub_clock_wrong 0$/m);
      const [, seconds] = /^hub_clock_ahead_seconds\{reference="files"\} (.*)$/m.exec(page) ?? [];
      assert.ok(Number(seconds) > 4 && Number(seconds) < 6, seconds);
      await app.promise(digestOf('a'));
    });

    it('is not suspected because a chain was signed ahead where a database confirms it', async () => {
      const site = wrongBy(0);
      const early = await startHub({
        clock: wrongBy(TEN_MINUTES),
        databaseUrl,
        env: { HUB_DATA_DIR: folder },
      });
      hubs.push(early);
      early.clock.advance(60);
      await early.runJob('pulse');
      const app = await start(site);
      const { body } = await app.pulse('head');
      assert.ok(Date.parse(body.issuedAt) > site.now());
      // SQLite has no clock of its own, and the machine's may as well be behind.
      const expected = name === 'PostgreSQL' ? 200 : 503;
      assert.equal((await ready(app))[0], expected);
      mustBeChain(await app.chain());
    });
  });
}
