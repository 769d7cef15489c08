import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { SUITE_MS_MAX } from '../router/_fixture.ts';
import {
  check,
  claim,
  holderOf,
  HOUR,
  list,
  openStreet,
  passportOf,
  prove,
  publish,
  WELL_KNOWN,
  type Body,
  type Street,
} from './_domains.ts';

for (const [name, url] of DATABASES) {
  describe(`passport.verify (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    beforeEach(async () => {
      street = await openStreet(await url());
    });
    afterEach(() => street.close());

    it('says what was asked, seen and is to be published, then records the domain', async () => {
      const { world, homes, asked } = street;
      const { alice, hub } = world;
      const { keyId } = alice;
      const [{ site }] = homes;
      const where = `${site.url}${WELL_KNOWN}`;
      const first = mustOk(await check(alice, `${site.url}/some/path?q=1`, keyId));
      const { looks, contentNote, next, ...rest } = first;
      assert.equal(typeof contentNote, 'string');
      assert.deepEqual(rest, {
        origin: site.url,
        domain: site.pair,
        checkedAt: new Date(hub.clock.now()).toISOString(),
        proved: false,
        recorded: false,
        keyId,
        publish: [{ method: 'well-known', where, value: `{"key":"${keyId}"}` }],
        checksLeft: 6,
        contentIsUntrusted: true,
      });
      const [look, ...others] = looks as Body[];
      assert.deepEqual([others, look?.['asked'], look?.['outcome']], [[], where, 'absent']);
      assert.deepEqual(at(next, 0, 'action'), 'passport.verify');
      assert.deepEqual(asked, [], 'an address has no records');

      homes[0].pages.set(WELL_KNOWN, { body: String(at(first, 'publish', 0, 'value')) });
      const second = mustOk(await check(alice, site.url, keyId));
      assert.deepEqual([second['proved'], second['recorded'], second['publish']], [true, true, []]);
      assert.deepEqual(at(second, 'looks', 0, 'outcome'), 'found');
      assert.deepEqual(at(second, 'holder', 'keyId'), keyId);
      assert.deepEqual(
        (second['next'] as Body[]).map(({ action }) => action),
        ['passport.claim', 'passport.claimable'],
      );
      assert.deepEqual(at(await passportOf(world, alice), 'karma'), { total: 5, tier: 'new' });
    });

    it('has the origin of a proved domain looked at at once, as often as it is checked', async () => {
      const { world, homes } = street;
      const { alice, hub } = world;
      const [{ site }] = homes;
      const due = async (): Promise<unknown> => {
        const record = `/api/v1/agents/submissions/${encodeURIComponent(site.url)}`;
        return mustOk(await world.anyone.get(record))['nextLookAt'];
      };
      for (let nth = 0; nth < 3; nth += 1) {
        await prove(alice, homes[0]);
        assert.equal(await due(), new Date(hub.clock.now()).toISOString());
        hub.clock.advance(60);
      }
    });

    it('gives karma for the first domain alone, however often it is checked', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      await prove(alice, homes[0]);
      await prove(alice, homes[0]);
      await prove(alice, homes[1]);
      assert.equal(at(await passportOf(world, alice), 'karma', 'total'), 5);
      await prove(bob, homes[0]);
      assert.equal(at(await passportOf(world, bob), 'karma', 'total'), 0, 'it gave them before');
      const { entries } = mustOk(await world.anyone.get(`/api/v1/passport/${alice.keyId}/karma`));
      const { reason, ref, delta, networkKind } = (entries as Body[])[0] ?? {};
      const domain = { kind: 'domain', id: homes[0].site.pair };
      assert.deepEqual([reason, ref, delta, networkKind], ['domain.proved', domain, 5, 'none']);
    });

    it('takes a TXT record beside others, for a name', async () => {
      const { world, homes, records, asked } = street;
      const { alice } = world;
      const name = '_agent.agent.example.com';
      const origin = 'https://agent.example.com';
      const aid = `v=aid2;u=https://agent.example.com;k=${alice.keyId}`;
      for (const [texts, outcome] of [
        [undefined, 'absent'],
        [['v=spf1 -all'], 'absent'],
        [[aid], 'absent'],
        // A key has 43 or 44 letters, and one of 43 with a letter more can be another key.
        [[`hub-key=${alice.keyId}xxx`], 'absent'],
        [[`hub-key=${world.bob.keyId}`], 'other-key'],
      ] as const) {
        if (texts !== undefined) records.set(name, texts);
        const seen = mustOk(await check(alice, origin, alice.keyId));
        assert.deepEqual([seen['proved'], at(seen, 'looks', 0, 'outcome')], [false, outcome]);
        assert.deepEqual(at(seen, 'publish', 0), {
          method: 'dns',
          where: name,
          value: `hub-key=${alice.keyId}`,
        });
      }
      records.set(name, () => {
        throw new Error('ETIMEOUT');
      });
      const silent = mustOk(await check(alice, origin, alice.keyId));
      assert.deepEqual(at(silent, 'looks', 0, 'outcome'), 'unreachable');
      for (const text of [alice.keyId, `note="x" hub-key=${alice.keyId}; p=1`]) {
        records.set(name, [aid, text]);
        const seen = mustOk(await check(alice, origin, alice.keyId));
        assert.deepEqual(
          [seen['recorded'], at(seen, 'looks', 1, 'outcome')],
          [true, 'unreachable'],
        );
        assert.equal(at(seen, 'holder', 'method'), 'dns');
      }
      assert.deepEqual([...new Set(asked)], [name]);
      assert.equal(at(await passportOf(world, alice), 'domains', 0, 'domain'), 'agent.example.com');
      assert.equal(homes.length, 3);
    });

    it('answers everybody without a signature, and then records nothing', async () => {
      const { world, homes } = street;
      const { alice, anyone, hub } = world;
      const { site } = homes[0];
      const nothing = mustOk(await check(anyone, site.url));
      assert.deepEqual(
        [nothing['proved'], nothing['keyId'], nothing['publish']],
        [false, undefined, []],
      );
      publish(homes[0], alice.keyId);
      const seen = mustOk(await check(anyone, site.url));
      assert.deepEqual(
        [seen['proved'], seen['recorded'], seen['holder']],
        [true, false, undefined],
      );
      assert.equal(seen['keyId'], alice.keyId);
      mustRefuse(await check(anyone, site.url, alice.keyId), 401, 'unsigned');

      await prove(alice, homes[0]);
      hub.clock.advance(HOUR);
      const confirmed = new Date(hub.clock.now()).toISOString();
      assert.equal(
        at(mustOk(await check(anyone, site.url)), 'holder', 'lastConfirmedAt'),
        confirmed,
      );
      homes[0].pages.delete(WELL_KNOWN);
      mustOk(await check(anyone, site.url));
      const gone = at(await passportOf(world, alice), 'domains', 0) as Body;
      assert.deepEqual([gone['lastConfirmedAt'], gone['missingSince']], [confirmed, confirmed]);
      publish(homes[0], alice.keyId);
      mustOk(await check(anyone, site.url));
      const back = at(await passportOf(world, alice), 'domains', 0) as Body;
      assert.equal(back['missingSince'], undefined);
    });

    it('moves a domain only once the holder’s proof is gone, and frees what it held', async () => {
      const { world, homes, records } = street;
      const { alice, bob } = world;
      const id = await list(world, homes[0], ['one']);
      await prove(alice, homes[0]);
      mustOk(await claim(alice, id));
      const { site, pages } = homes[0];
      pages.set(WELL_KNOWN, { status: 500, body: 'broken' });
      const seen = mustOk(await check(bob, site.url, bob.keyId));
      assert.deepEqual(at(seen, 'holder', 'keyId'), alice.keyId);

      publish(homes[0], bob.keyId);
      const moved = mustOk(await check(bob, site.url, bob.keyId));
      assert.deepEqual([moved['recorded'], at(moved, 'holder', 'keyId')], [true, bob.keyId]);
      assert.deepEqual(await holderOf(world, id), [undefined, undefined, 0]);
      assert.deepEqual(at(await passportOf(world, alice), 'domains'), []);
      mustRefuse(await claim(alice, id), 400, 'domain-not-proved');
      mustOk(await claim(bob, id));
      assert.equal(at(await passportOf(world, alice), 'karma', 'total'), 5, 'hers stays hers');

      const [origin, name] = ['https://agent.example.com', '_agent.agent.example.com'];
      const [mine, his] = [alice, bob].map(({ keyId }) => `hub-key=${keyId}`);
      records.set(name, [mine ?? '']);
      mustOk(await check(alice, origin, alice.keyId));
      records.set(name, [mine ?? '', his ?? '']);
      const refused = mustRefuse(await check(bob, origin, bob.keyId), 400, 'domain-held');
      assert.match(String(refused['error']), new RegExp(`so is ${alice.keyId}`));
      assert.match(String(refused['hint']), /_agent\.agent\.example\.com/);
      assert.equal(mustOk(await check(alice, origin, alice.keyId))['recorded'], true);
      records.set(name, [his ?? '']);
      assert.equal(mustOk(await check(bob, origin, bob.keyId))['recorded'], true);
    });

    it('records one of two who prove it at once', async () => {
      const { world, records } = street;
      const { alice, bob } = world;
      const origin = 'https://both.example.com';
      records.set('_agent.both.example.com', [`hub-key=${alice.keyId} hub-key=${bob.keyId}`]);
      const answers = await Promise.all([alice, bob].map((who) => check(who, origin, who.keyId)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
      assert.deepEqual(answers.map(({ body }) => body['code'] ?? 'ok').sort(), [
        'domain-held',
        'ok',
      ]);
    });

    it('takes nothing from hostile documents, and says what was wrong', async () => {
      const { world, homes } = street;
      const { alice } = world;
      const { site, pages } = homes[0];
      const { keyId } = alice;
      const json = JSON.stringify({ key: keyId });
      const cases: readonly (readonly [string, Parameters<typeof pages.set>[1]])[] = [
        ['malformed', { body: `${json}${' '.repeat(70_000)}` }],
        ['malformed', { status: 302, headers: { location: `${site.url}/elsewhere` }, body: '' }],
        ['malformed', { body: Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b]) }],
        ['malformed', { body: keyId }],
        ['malformed', { body: JSON.stringify([keyId]) }],
        ['malformed', { body: JSON.stringify({ key: [keyId] }) }],
        ['malformed', { body: JSON.stringify({ key: keyId + keyId }) }],
        ['malformed', { body: '['.repeat(60_000) }],
        ['absent', { status: 404, body: json }],
        ['unreachable', { status: 503, body: json }],
        ['unreachable', { body: 'short', headers: { 'content-encoding': 'gzip' } }],
        ['other-key', { body: JSON.stringify({ key: world.bob.keyId }) }],
      ];
      pages.set('/elsewhere', { body: json });
      for (const [outcome, page] of cases) {
        pages.set(WELL_KNOWN, page);
        const seen = mustOk(await check(alice, site.url, keyId));
        const what = String(page.body).slice(0, 40);
        assert.deepEqual([seen['proved'], at(seen, 'looks', 0, 'outcome')], [false, outcome], what);
        assert.ok(String(at(seen, 'looks', 0, 'seen')).length <= 1_000);
      }
      const passport = mustOk(await world.anyone.get(`/api/v1/passport/${keyId}`));
      assert.deepEqual(passport['domains'], []);
    });

    it('refuses in order', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      for (const origin of ['https://10.0.0.1', 'https://localhost', 'http://agent.example.com']) {
        mustRefuse(await check(alice, origin, bob.keyId), 400, 'endpoint-refused');
      }
      mustRefuse(await check(alice, homes[0].site.url, bob.keyId), 400, 'key-not-bound');
      assert.deepEqual(homes[0].site.requests, [], 'and no server was asked');
    });
  });

  describe(`passport.verify, rationed (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    before(async () => {
      street = await openStreet(await url(), { env: { HUB_RATE_LIMITS: 'true' } });
    });
    after(() => street.close());

    it('asks an origin six times an hour for one that wants it', async () => {
      const { world, homes } = street;
      const { alice, bob, hub } = world;
      const { url: origin } = homes[0].site;
      for (let place = 0; place < 5; place += 1) {
        assert.equal(mustOk(await check(alice, origin))['checksLeft'], 5 - place);
      }
      const both = await Promise.all([check(alice, origin), check(alice, `${origin}/x`)]);
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 429]);
      const refused = await check(alice, origin, alice.keyId);
      const { retryAfterSeconds } = mustRefuse(refused, 429, 'rate-limited');
      assert.equal(refused.headers.get('retry-after'), String(retryAfterSeconds));
      assert.equal(homes[0].site.requests.length, 6);
      mustOk(await check(alice, homes[1].site.url));
      mustRefuse(await check(alice, origin, bob.keyId), 400, 'key-not-bound');
      hub.clock.advance(Number(retryAfterSeconds));
      mustOk(await check(alice, origin, alice.keyId));
    });

    it('asks no server for a request that was sent before', async () => {
      const { world, homes } = street;
      const { alice } = world;
      const body = { origin: homes[0].site.url, keyId: alice.keyId };
      const request = await alice.signed('POST', '/api/v1/passport/verify', body);
      const first = mustOk(await alice.send(request.clone()));
      mustRefuse(await alice.send(request.clone()), 401, 'replayed');
      mustRefuse(await alice.send(request), 401, 'replayed');
      const next = mustOk(await check(alice, homes[0].site.url, alice.keyId));
      assert.equal(next['checksLeft'], Number(first['checksLeft']) - 1);
    });

    it('leaves a signer its share whatever visitors ask for', async () => {
      const { world, homes } = street;
      const { alice, bob, anyone, hub } = world;
      hub.clock.advance(3_600);
      const { url: origin } = homes[0].site;
      for (let left = 5; left >= 0; left -= 1) {
        assert.equal(mustOk(await check(anyone, origin))['checksLeft'], left);
      }
      mustRefuse(await check(anyone, origin), 429, 'rate-limited');
      for (let n = 0; n < 6; n += 1) mustOk(await check(bob, origin));
      mustRefuse(await check(bob, origin), 429, 'rate-limited');
      assert.equal(mustOk(await check(alice, origin, alice.keyId))['checksLeft'], 5);
    });
  });
}
