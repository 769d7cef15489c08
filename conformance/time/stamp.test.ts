import assert from 'node:assert/strict';
import { openStore } from '../../db/store.ts';
import { visitor } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { digestOf, onEachDatabase, promiseIn, type TimeApp } from './_site.ts';
import { mustBePromise, mustKeep, type StampPromise } from './_verify.ts';

const AT_ONCE = 500;
const DISTINCT = 350;

onEachDatabase('time.stamp', (newSite) => {
  it('promises the minute that it arrived in, and says when the proof comes', async () => {
    const site = await newSite();
    const app = await site.start();
    site.clock.advance(7);
    const promise = await app.promise(digestOf('a'));
    mustBePromise(promise);
    const { keyId } = (await app.now()).body;
    assert.deepEqual(promise.body, {
      digest: digestOf('a'),
      minute: '2026-11-20T10:00:00Z',
      pulse: '2026-11-20T10:00:00Z',
      receivedAt: '2026-11-20T10:00:07.000Z',
      keyId,
    });
    assert.equal(promise.proofAt, '2026-11-20T10:01:00.000Z');
  });

  it('has the leaf in the database before the promise leaves', async () => {
    const site = await newSite();
    const app = await site.start();
    const [promise, another] = [
      await app.promise(digestOf('a')),
      await openStore(site.databaseUrl),
    ];
    try {
      const rows = await another.read((db) =>
        db.knex<{ digest: string; minute: number | string }>('time_leaves').select(),
      );
      assert.deepEqual(
        rows.map(({ digest, minute }) => [digest, Number(minute)]),
        [[promise.body.digest, Date.parse(promise.body.minute)]],
      );
    } finally {
      await another.close();
    }
  });

  it('is one leaf and the same promise to the byte within a minute, in either case', async () => {
    const site = await newSite();
    const app = await site.start();
    const first = await app.stamp(digestOf('a'));
    site.clock.advance(40);
    assert.equal((await app.stamp(digestOf('a'))).text, first.text);
    assert.equal((await app.stamp(digestOf('a').toUpperCase())).text, first.text);
    site.clock.advance(20);
    await app.issue();
    assert.equal((await app.pulse('head')).body.leaves, 1);
  });

  it('is another promise in the next minute', async () => {
    const site = await newSite();
    const app = await site.start();
    const first = await app.promise(digestOf('a'));
    await app.minute();
    const second = await app.promise(digestOf('a'));
    assert.equal(second.body.minute, '2026-11-20T10:01:00Z');
    await app.minute();
    for (const promise of [first, second]) {
      mustKeep(promise, await app.proof(digestOf('a'), promise.body.pulse));
    }
  });

  it('goes to the next minute in the last second of one', async () => {
    const site = await newSite();
    const app = await site.start();
    site.clock.advance(58);
    site.clock.jump(999);
    assert.equal((await app.promise(digestOf('a'))).body.minute, '2026-11-20T10:00:00Z');
    site.clock.jump(1);
    const last = await app.promise(digestOf('b'));
    assert.deepEqual(
      [last.body.minute, last.body.receivedAt],
      ['2026-11-20T10:01:00Z', '2026-11-20T10:00:59.000Z'],
    );
    site.clock.advance(30);
    // Asked again in the minute that it was promised to, it is the same.
    assert.deepEqual(await app.promise(digestOf('b')), last);
    await app.issue();
    await app.minute();
    mustKeep(last, await app.proof(digestOf('b'), last.body.pulse));
  });

  it(`takes ${AT_ONCE} at once, of which some are the same, and keeps every promise`, async () => {
    const site = await newSite();
    const app = await site.start();
    const digests = Array.from({ length: AT_ONCE }, (_, n) => digestOf(n % DISTINCT));
    const answers = await Promise.all(digests.map((digest) => app.stamp(digest)));
    const texts = new Map<string, string>();
    for (const [n, answer] of answers.entries()) {
      const digest = digests[n] ?? '';
      assert.equal(promiseIn(answer).body.digest, digest);
      assert.equal(answer.text, texts.get(digest) ?? answer.text, 'one promise for one digest');
      texts.set(digest, answer.text);
    }
    await app.minute();
    assert.equal((await app.pulse('head')).body.leaves, DISTINCT);
    await mustKeepAll(app, answers.map(promiseIn));
  });

  it('keeps its promise when its minute is closed while it is on its way', async () => {
    const site = await newSite();
    const app = await site.start();
    const promises: StampPromise[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      const stamp = (n: number): Promise<StampPromise> => app.promise(digestOf(`${minute}-${n}`));
      site.clock.advance(58);
      const before = Array.from({ length: 40 }, (_, n) => stamp(n));
      site.clock.advance(2);
      const beside = Array.from({ length: 40 }, (_, n) => stamp(n + 40));
      await app.issue();
      promises.push(...(await Promise.all([...before, ...beside])));
    }
    await app.minute();
    await mustKeepAll(app, promises);
  });
});

async function mustKeepAll(app: TimeApp, promises: readonly StampPromise[]): Promise<void> {
  for (const promise of promises) {
    mustKeep(promise, await app.proof(promise.body.digest, promise.body.pulse));
  }
}

onEachDatabase('time.stamp refuses', (newSite) => {
  it('what is no digest and says what one is', async () => {
    const app = await (await newSite()).start();
    const hex = digestOf('a');
    const texts = ['', 'abc', hex.slice(1), `${hex}0`, hex.replace(/^./, 'g'), ` ${hex}`, '0x1'];
    for (const digest of [...texts, 5, null, true, [hex], { digest: hex }]) {
      const { error, hint, field } = mustRefuse(await app.stamp(digest), 400, 'bad-digest');
      assert.equal(field, 'body.digest');
      assert.match(`${String(error)} ${String(hint)}`, /SHA-256.*hex/, JSON.stringify(digest));
    }
  });

  it('a body without a digest, with more, or of another kind', async () => {
    const { hub } = await (await newSite()).start();
    const post = (body: unknown) => visitor(hub).post('/api/v1/time/stamp', body);
    assert.equal(mustRefuse(await post({}), 400, 'missing-field')['field'], 'body.digest');
    const more = mustRefuse(await post({ digest: digestOf('a'), more: 1 }), 400, 'bad-request');
    assert.equal(more['field'], 'body.more');
    mustRefuse(await post([digestOf('a')]), 400, 'bad-request');
    mustRefuse(await post(digestOf('a')), 400, 'bad-request');
  });

  it('nothing of what was right beside it', async () => {
    const app = await (await newSite()).start();
    const digests = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? 'abc' : digestOf(n)));
    const answers = await Promise.all(digests.map((digest) => app.stamp(digest)));
    for (const [n, answer] of answers.entries()) {
      if (n % 3 === 0) mustRefuse(answer, 400, 'bad-digest');
      else assert.equal(at(mustOk(answer), 'body', 'digest'), digests[n]);
    }
  });
});
