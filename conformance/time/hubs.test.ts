import assert from 'node:assert/strict';
import { mustOk } from '../harness/must.ts';
import { digestOf, onDatabase, type Site, type TimeApp } from './_site.ts';
import { mustBeChain, mustKeep, type StampPromise } from './_verify.ts';

const MINUTES = 8;
const STAMPS_A_HUB = 12;
/** Clocks of machines that are kept right differ by less. */
const SKEWS_MS = [0, 800, -800];

/** Each hub takes a digest that its neighbours take as well, and digests of its own. */
function stampAll(apps: readonly TimeApp[], round: string): readonly Promise<StampPromise>[] {
  return apps.flatMap((app, hub) => [
    app.promise(digestOf(`${round} of all`)),
    ...Array.from({ length: STAMPS_A_HUB }, (_, n) =>
      app.promise(digestOf(`${round} ${hub} ${n}`)),
    ),
  ]);
}

/** Stamps within each minute, at its end and while all the hubs issue; answers every promise. */
async function raceThrough({ clock }: Site, apps: readonly TimeApp[]): Promise<StampPromise[]> {
  const promises: StampPromise[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    clock.advance(29);
    promises.push(...(await Promise.all(stampAll(apps, `${minute} within`))));
    clock.advance(28);
    const ending = stampAll(apps, `${minute} ending`);
    clock.advance(3);
    const issuing = apps.map((app) => app.issue());
    const racing = stampAll(apps, `${minute} racing`);
    promises.push(...(await Promise.all([...ending, ...racing])));
    await Promise.all(issuing);
    const { body } = await anyOf(apps, minute).pulse('head');
    assert.equal(body.seq, minute, 'one pulse for each minute');
  }
  return promises;
}

onDatabase('PostgreSQL', 'three hubs on one database', (newSite) => {
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['with one clock', [0, 0, 0]],
    ['whose clocks differ a little', SKEWS_MS],
  ];
  for (const [name, skews] of cases) {
    it(`${name} issue one pulse a minute, in one chain, and keep the promises of all`, async () => {
      const site = await newSite();
      // All of them begin in the same minute.
      site.clock.advance(1);
      const apps = await Promise.all(skews.map((aheadMs) => site.start(aheadMs)));
      const keys = await Promise.all(apps.map(async (app) => (await app.now()).body.keyId));
      assert.equal(new Set(keys).size, 1, 'they share a key');
      const promises = await raceThrough(site, apps);
      await anyOf(apps, 0).minute();

      const chain = await anyOf(apps, 1).chain();
      mustBeChain(chain);
      const stamped = new Set(promises.map(({ body }) => `${body.digest} ${body.minute}`));
      const leaves = chain.reduce((sum, { body }) => sum + body.leaves, 0);
      assert.equal(leaves, stamped.size, 'each leaf is in one pulse');
      for (const [n, promise] of promises.entries()) {
        const { digest, pulse } = promise.body;
        mustKeep(promise, await anyOf(apps, n).proof(digest, pulse));
      }
    });
  }

  it('give one promise for one digest, whichever is asked', async () => {
    const site = await newSite();
    const apps = await Promise.all([site.start(), site.start(), site.start()]);
    for (let round = 0; round < 10; round += 1) {
      const asked = Array.from({ length: 9 }, (_, n) => anyOf(apps, n).stamp(digestOf(round)));
      const answers = await Promise.all(asked);
      for (const answer of answers) mustOk(answer);
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      site.clock.advance(1);
    }
  });
});

function anyOf(apps: readonly TimeApp[], n: number): TimeApp {
  const app = apps[n % apps.length];
  assert.ok(app !== undefined);
  return app;
}
