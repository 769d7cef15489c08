import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../clients/typescript/node.ts';
import { need } from '../../db/batch/need.ts';
import { SEALED_RANDOM } from '../../db/time/pulses.ts';
import { runCli } from '../../server/cli.ts';
import { makeNextKey } from '../../workflows/kernel/keys/keys.ts';
import { sealedRandom } from '../../workflows/validators/draw.ts';
import { visitor } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { startHub, type TestHub } from '../harness/hub.ts';
import { at, mustOk } from '../harness/must.ts';
import { digestOf, timeApp, wrongBy, type TimeApp } from './_site.ts';
import { mustBeChain, mustKeep, type Pulse, type StampPromise } from './_verify.ts';

const SUITE_MS_MAX = 60_000;
const TEN_MINUTES = 600_000;
const TEN_YEARS = 3_653 * 86_400_000;
const OWNER = 'key:9GzRuA8Sg7abDcmhoc9AndTTp2uekoomp8s29rWnqjcM';

for (const [name, freshUrl] of DATABASES) {
  describe(`a chain that a wrong clock signed ahead (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let folder: string;
    let databaseUrl: string;
    let open: TestHub | undefined;
    let funds = 0;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'hub-ahead-'));
      databaseUrl = await freshUrl(folder);
    });
    afterEach(async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    });
    const stop = async (): Promise<void> => {
      await open?.close();
      open = undefined;
    };
    const start = async (aheadMs: number): Promise<TimeApp> => {
      open = await startHub({
        clock: wrongBy(aheadMs),
        databaseUrl,
        env: { HUB_DATA_DIR: folder },
      });
      return timeApp(open);
    };
    const hubctl = async (...words: string[]): Promise<readonly [number, string]> => {
      let output = '';
      const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: folder };
      const code = await runCli(['pulses', ...words], env, (text) => (output += text));
      return [code, output];
    };
    /** A minute in which money moves, which is sealed. */
    const minute = async (app: TimeApp): Promise<void> => {
      funds += 1;
      const body = { amount: '1000', idempotencyKey: `ahead-${funds}` };
      mustOk(await visitor(app.hub).post(`/api/v1/wallet/${OWNER}/credit`, body));
      await app.hub.runJob('sealJournal');
      await app.minute();
    };
    const keysOf = async (app: TimeApp): Promise<unknown> => mustOk(await app.get('/keys'));
    const blocksOf = async (app: TimeApp): Promise<readonly unknown[]> => {
      const read = async (block: number | 'head') =>
        mustOk(await app.get(`/api/v1/economy/seals/${block}`));
      const head = Number(at(await read('head'), 'seal', 'body', 'blockNo'));
      return Promise.all(Array.from({ length: head + 1 }, (_, block) => read(block)));
    };
    const mustVerify = async (app: TimeApp, value: unknown): Promise<void> => {
      const found = await verify.file(value, await keysOf(app));
      assert.ok(found.ok, JSON.stringify(found));
    };
    const random = ({ hub }: TimeApp): Promise<unknown> =>
      hub.running.hub.store.decide({
        needs: [need(SEALED_RANDOM, 1)],
        decide: (db) => sealedRandom(db),
      });

    it('is repaired: the pulses ahead are shown as withdrawn, and new ones verify', async () => {
      const app = await start(-TEN_MINUTES);
      for (let passed = 0; passed < 3; passed += 1) await minute(app);
      const honest = await app.chain();
      const open = await app.promise(digestOf('open'));
      app.hub.clock.jump(TEN_YEARS);
      const { store } = app.hub.running.hub;
      await makeNextKey({ store, dataDir: folder, clock: app.hub.clock });
      app.hub.clock.advance(60);
      await app.issue();
      for (let passed = 0; passed < 3; passed += 1) await minute(app);
      const ahead = (await app.chain()).slice(honest.length);
      assert.ok(ahead.length >= 3 && ahead.some(({ body }) => body.nextKeyId !== undefined));
      const early = await app.promise(digestOf('early'));
      const blocksAhead = await blocksOf(app);
      assert.ok(await random(app));
      await stop();

      const [code, plan] = await hubctl();
      assert.deepEqual([code, plan.includes('hubctl pulses withdraw 3')], [0, true], plan);
      assert.match(plan, /from 2036-/);
      assert.equal((await hubctl('withdraw', '2'))[0], 1);
      assert.equal((await hubctl('withdraw', '4'))[0], 1);
      const [done, output] = await hubctl('withdraw', '3');
      assert.deepEqual([done, output.includes(`${ahead.length} pulses`)], [0, true], output);
      assert.equal((await hubctl('withdraw', '3'))[0], 1, 'once');

      const again = await start(0);
      assert.equal(await random(again), undefined, 'no draw uses what a withdrawn pulse shows');
      await mustShow(again, ahead);
      await again.promise(digestOf('new'));
      await again.hub.runJob('sealJournal');
      await again.minute();
      await again.hub.runJob('sealJournal');
      assert.ok(await random(again));
      await minute(again);
      await again.hub.runJob('sealJournal');
      const chain = await again.chain();
      mustBeChain(chain);
      assert.deepEqual(chain.slice(0, honest.length), honest);
      assert.ok(chain.length > honest.length + 1);
      await mustVerify(again, chain);
      const blocks = await blocksOf(again);
      await mustVerify(again, blocks);
      for (const block of blocks) {
        const sealedAt = String(at(block, 'seal', 'body', 'sealedAt'));
        assert.ok(Date.parse(sealedAt) <= again.hub.clock.now(), sealedAt);
      }
      assert.equal(at(blocks.at(-1), 'proof', 'pulse', 'body', 'seq'), chain.length - 1);
      await mustShow(again, ahead);
      mustSayWithdrawn(blocks, blocksAhead);
      await mustKeepBoth(again, open, early);
    });

    /** Each pulse ahead is whole in the answer of its number, which verifies unless it is that one. */
    async function mustShow(app: TimeApp, ahead: readonly Pulse[]): Promise<void> {
      const keys = await keysOf(app);
      for (const { body, bytes, digest, signature } of ahead) {
        const shown = await app.pulse(body.seq);
        const found = shown.withdrawn?.map(({ at: _, ...signed }) => signed);
        assert.deepEqual(found, [{ bytes, digest, signature }]);
        const verdict = await verify.file(shown, keys);
        assert.equal(verdict.ok, shown.digest !== digest);
        // A key that a withdrawn pulse announced waits to be announced again.
        if (!verdict.ok) assert.match(verdict.at, /^(withdrawn|body\.keyId)$/);
      }
    }

    function mustSayWithdrawn(blocks: readonly unknown[], before: readonly unknown[]): void {
      for (const [place, block] of blocks.entries()) {
        const was = before[place];
        const isSame = at(was, 'seal', 'digest') === at(block, 'seal', 'digest');
        const withdrawn = at(block, 'seal', 'withdrawn', 0, 'digest');
        assert.equal(
          withdrawn,
          isSame || was === undefined ? undefined : at(was, 'seal', 'digest'),
        );
      }
      assert.ok(blocks.some((block) => at(block, 'seal', 'withdrawn') !== undefined));
    }

    async function mustKeepBoth(app: TimeApp, open: StampPromise, early: StampPromise) {
      const proof = await app.proof(open.body.digest, open.body.pulse);
      mustKeep(open, proof);
      await mustVerify(app, { promise: open, proof });
      const waits = await app.ask(early.body.digest, early.body.pulse);
      assert.equal(waits.status, 202, 'what was promised to a minute to come waits for it');
    }

    it('may be ahead from its first pulse', async () => {
      const app = await start(TEN_YEARS);
      for (let passed = 0; passed < 2; passed += 1) await minute(app);
      const ahead = await app.chain();
      await stop();
      assert.equal((await hubctl('withdraw', '0'))[0], 0);
      const again = await start(0);
      for (let passed = 0; passed < 3; passed += 1) await minute(again);
      const chain = await again.chain();
      mustBeChain(chain);
      await mustVerify(again, chain);
      await mustShow(again, ahead);
      await mustVerify(again, await again.now());
    });

    it('is left alone where no pulse is ahead, and by words that name none', async () => {
      const app = await start(-TEN_MINUTES);
      await minute(app);
      const before = await app.chain();
      const [code, output] = await hubctl();
      assert.deepEqual([code, /No pulse is dated after that/.test(output)], [0, true]);
      for (const words of [
        ['withdraw', '0'],
        ['withdraw', '1'],
      ]) {
        assert.equal((await hubctl(...words))[0], 1);
      }
      for (const words of [['withdraw'], ['withdraw', 'all'], ['other'], ['withdraw', '-1']]) {
        assert.equal((await hubctl(...words))[0], 2);
      }
      assert.deepEqual(await app.chain(), before);
    });
  });
}
