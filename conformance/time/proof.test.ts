import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { digestOf, onEachDatabase } from './_site.ts';
import { merkleRoot, mustKeep, mustProve } from './_verify.ts';

/** Around the tiles of 256 hashes, and more than one of them. PostgreSQL stores the same tiles. */
const SIZES = { SQLite: [1, 2, 3, 255, 256, 257], PostgreSQL: [1, 257] };
/** Stamps on their way at once while a tree is filled. */
const BATCH = 125;

onEachDatabase('time.proof', (newSite, database) => {
  it('is pending while the minute is open, and says when to come again', async () => {
    const site = await newSite();
    const app = await site.start();
    const digest = digestOf('a');
    const { pulse } = (await app.promise(digest)).body;
    site.clock.advance(12);
    const pending = await app.ask(digest, pulse);
    assert.deepEqual(mustOk(pending, 202), {
      digest,
      state: 'pending',
      minute: pulse,
      readyAt: '2026-11-20T10:01:00.000Z',
      retryAfterSeconds: 48,
    });
    assert.equal(pending.headers.get('retry-after'), '48');
    site.clock.advance(48);
    // The minute is over and its pulse is on its way: still pending, and never "now".
    assert.equal(mustOk(await app.ask(digest, pulse), 202)['retryAfterSeconds'], 1);
    await app.issue();
    mustProve(await app.proof(digest, pulse));
  });

  it('is found by minute, by number and without either, in either case', async () => {
    const site = await newSite();
    const app = await site.start();
    await app.minute();
    const promise = await app.promise(digestOf('a'));
    await app.promise(digestOf('b'));
    await app.minute();
    const proof = await app.proof(digestOf('a'), promise.body.pulse);
    mustKeep(promise, proof);
    assert.equal(proof.pulse.body.seq, 1);
    assert.deepEqual(proof.pulse, await app.pulse(1));
    for (const pulse of [undefined, 1, '2026-11-20T10:01Z', '2026-11-20T10:01:00.000Z']) {
      assert.deepEqual(await app.proof(digestOf('a'), pulse), proof, String(pulse));
    }
    assert.deepEqual(await app.proof(digestOf('a').toUpperCase()), proof);
  });

  it('is that of the earliest stamp when none is named', async () => {
    const site = await newSite();
    const app = await site.start();
    const first = await app.promise(digestOf('a'));
    await app.minute();
    const second = await app.promise(digestOf('a'));
    mustKeep(first, await app.proof(digestOf('a')));
    assert.equal((await app.ask(digestOf('a'), second.body.pulse)).status, 202);
    await app.minute();
    mustKeep(first, await app.proof(digestOf('a')));
    mustKeep(second, await app.proof(digestOf('a'), second.body.pulse));
    mustKeep(second, await app.proof(digestOf('a'), 1));
  });

  for (const size of SIZES[database]) {
    it(`leads from every leaf of ${size} to the root, which is that of the definition`, async () => {
      const site = await newSite();
      const app = await site.start();
      const digests = Array.from({ length: size }, (_, n) => digestOf(`${size}-${n}`));
      for (let from = 0; from < size; from += BATCH) {
        await Promise.all(digests.slice(from, from + BATCH).map((digest) => app.promise(digest)));
      }
      await app.minute();
      const { leaves, root } = (await app.pulse('head')).body;
      const ordered: string[] = [];
      for (const digest of digests) {
        const proof = await app.proof(digest);
        mustProve(proof);
        assert.deepEqual([proof.digest, proof.leaves, proof.root], [digest, leaves, root]);
        ordered[proof.leafIndex] = digest;
      }
      assert.equal(leaves, size);
      assert.equal(merkleRoot(ordered), root);
    });
  }

  it('keeps the order of arrival', async () => {
    const site = await newSite();
    const app = await site.start();
    for (const name of ['c', 'a', 'b']) await app.promise(digestOf(name));
    await app.minute();
    const places = ['c', 'a', 'b'].map(async (name) => (await app.proof(digestOf(name))).leafIndex);
    assert.deepEqual(await Promise.all(places), [0, 1, 2]);
  });

  it('is none where the digest was never stamped', async () => {
    const site = await newSite();
    const app = await site.start();
    await app.promise(digestOf('a'));
    await app.minute();
    const cases: readonly (readonly [string, string | number | undefined, RegExp])[] = [
      ['b', undefined, /has no stamp of the last 90 days/],
      ['b', 0, /has no stamp in pulse 0/],
      ['b', '2026-11-20T10:00:00Z', /has no stamp in 2026-11-20T10:00:00Z/],
      ['a', '2026-11-20T10:01:00Z', /has no stamp in/],
      ['a', '2026-11-19T10:00:00Z', /has no stamp in/],
      ['a', '9999-12-31T23:59:00Z', /has no stamp in/],
      ['a', 1, /There is no pulse 1; the newest is 0/],
      ['a', '999999999999', /There is no pulse 999999999999/],
    ];
    for (const [name, pulse, why] of cases) {
      const answer = await app.ask(digestOf(name), pulse);
      assert.match(String(mustRefuse(answer, 404, 'not-found')['error']), why);
    }
  });

  it('refuses what names no pulse and shows what does', async () => {
    const app = await (await newSite()).start();
    const unreal = ['2026-02-30T10:00:00Z', '2026-11-20T25:00:00Z', '2026-11-20T24:00:00Z'];
    const within = ['2026-11-20T10:00:07Z', '2026-11-20T10:00:00.007Z', '2026-11-20T10:00:60Z'];
    const others = ['-1', '1.5', 'head', '2026-11-20', '10:00', '1'.repeat(13), '+1', '', 'x'];
    const zoned = ['2026-11-20T10:00:00', '2026-11-20T10:00:00+01:00', '2026-13-01T10:00:00Z'];
    for (const pulse of [...unreal, ...within, ...others, ...zoned]) {
      const answer = await app.ask(digestOf('a'), pulse);
      const { error, hint, field } = mustRefuse(answer, 400, 'bad-pulse');
      assert.equal(field, 'query.pulse');
      assert.match(`${String(error)} ${String(hint)}`, /promise/, pulse);
    }
  });

  it('refuses what is no digest', async () => {
    const app = await (await newSite()).start();
    for (const digest of ['abc', digestOf('a').slice(1), `${digestOf('a')}0`, 'g'.repeat(64)]) {
      const { field, hint } = mustRefuse(await app.ask(digest), 400, 'bad-digest');
      assert.deepEqual([field, /SHA-256/.test(String(hint))], ['path.digest', true]);
    }
  });
});
