import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { charging } from '../router/_agent.ts';
import { call, receiptOf, spendable, SUITE_MS_MAX } from '../router/_fixture.ts';
import { recordKarma } from '../../db/karma/record.ts';
import { listingCode } from '../../domain/registry/code.ts';
import { set } from '../registry/_index.ts';
import { earn } from '../services/_lend.ts';
import {
  check,
  claim,
  holderOf,
  idsOf,
  list,
  openStreet,
  prove,
  publish,
  WELL_KNOWN,
  type Body,
  type Street,
} from './_domains.ts';

for (const [name, url] of DATABASES) {
  describe(`passport.claim (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    beforeEach(async () => {
      street = await openStreet(await url(), { tools: { quote: charging(() => '30000') } });
    });
    afterEach(() => street.close());

    it('takes a listing on a proved domain, and the router pays the holder', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const id = await list(world, homes[0], ['quote'], { price: '30000' });
      await world.fund(bob, '100000');
      const before = receiptOf(
        await call(bob, { operation: 'quote', agentId: id, maxPrice: '50000' }),
      );
      assert.deepEqual(
        [before['outcome'], before['cost']],
        ['priced', '0'],
        'no holder is paid yet',
      );

      await prove(alice, homes[0]);
      const taken = mustOk(await claim(alice, id));
      assert.deepEqual([idsOf(taken), taken['karmaMoved']], [[id], 0]);
      assert.deepEqual(taken['karma'], { total: 5, tier: 'new' });
      assert.deepEqual(await holderOf(world, id), [alice.keyId, 'well-known', 5]);

      const paid = receiptOf(
        await call(bob, { operation: 'quote', agentId: id, maxPrice: '50000' }),
      );
      assert.deepEqual([paid['outcome'], paid['cost']], ['served', '30000']);
      assert.deepEqual([await spendable(alice), await spendable(bob)], [30_000n, 70_000n]);
      const listed = mustOk(await alice.get('/api/v1/me'))['listings'];
      assert.deepEqual(at(listed, 0, 'id'), id);
    });

    it('moves what was recorded against a listing, and shows whose standing it has', async () => {
      const { world, homes } = street;
      const { alice, bob, hub } = world;
      const id = await list(world, homes[0], ['quote']);
      const { store, ids, clock } = hub.running.hub;
      const note = (occasion: string, reason: 'review.good' | 'review.bad') =>
        store.decide({
          needs: [],
          decide: (db) =>
            recordKarma(
              db,
              { subject: `listing:${id}`, reason, ref: { kind: 'review', id: occasion }, occasion },
              { id: db.newId(ids), at: clock.now(), money: 'real', startedAt: db.startedAt(clock) },
            ),
        });
      await note('a', 'review.good');
      await note('b', 'review.good');
      await note('c', 'review.good');
      await note('d', 'review.bad');
      assert.deepEqual(await holderOf(world, id), [undefined, undefined, 2]);
      await prove(alice, homes[0]);
      const path = `/api/v1/passport/${alice.keyId}`;
      const offered = mustOk(await world.anyone.get(`${path}/claimable`));
      assert.equal(at(offered, 'listings', 0, 'karma'), 2);
      const taken = mustOk(await claim(alice));
      assert.deepEqual([taken['karmaMoved'], taken['karma']], [2, { total: 7, tier: 'new' }]);
      assert.deepEqual(await holderOf(world, id), [alice.keyId, 'well-known', 7]);
      const { entries, total } = mustOk(await world.anyone.get(`${path}/karma`));
      const shown = (entries as Body[]).map(({ delta, listingId }) => [delta, listingId]);
      const moved = [-1, 1, 1, 1].map((delta) => [delta, id]);
      assert.deepEqual([shown, total], [[[5, undefined], ...moved], 7]);
      assert.equal(mustOk(await claim(alice, id))['karmaMoved'], 0, 'once');

      publish(homes[0], bob.keyId);
      mustOk(await check(bob, homes[0].site.url, bob.keyId));
      assert.deepEqual(mustOk(await claim(bob))['karmaMoved'], 0);
      assert.deepEqual(await holderOf(world, id), [bob.keyId, 'well-known', 0]);
    });

    it('shows the holder’s standing on all that it holds, as it changes', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const listed = [await list(world, homes[0], ['quote']), await list(world, homes[1], ['b'])];
      await prove(alice, homes[0]);
      await prove(alice, homes[1]);
      assert.deepEqual(mustOk(await claim(alice))['count'], 2);
      await world.fund(bob, '2000000');
      await earn(bob, alice);
      for (const id of listed) {
        assert.deepEqual(await holderOf(world, id), [alice.keyId, 'well-known', 6]);
      }
    });

    it('makes no payment for another’s address in one’s own card', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const { origin } = new URL(homes[1].endpoint);
      const own = { origin, host: homes[1].site.pair, id: listingCode('mcp', origin) };
      const id = await list(world, homes[0], ['quote'], { price: '30000', listing: own });
      await prove(alice, homes[1]);
      mustOk(await claim(alice, id));
      await world.fund(bob, '100000');
      const ask = { operation: 'quote', agentId: id, maxPrice: '50000' };
      assert.equal(receiptOf(await call(bob, ask))['cost'], '0');
      await prove(alice, homes[0]);
      assert.equal(receiptOf(await call(bob, ask))['cost'], '30000', 'both domains are hers');
    });

    it('leaves the holder alone at the next look, and refuses while the proof is missing', async () => {
      const { world, homes } = street;
      const { alice } = world;
      const id = await list(world, homes[0], ['quote']);
      await prove(alice, homes[0]);
      mustOk(await claim(alice, id));
      await list(world, { endpoint: `${homes[0].site.url}/moved` }, ['quote', 'more']);
      assert.deepEqual(await holderOf(world, id), [alice.keyId, 'well-known', 5]);
      homes[0].pages.delete(WELL_KNOWN);
      mustOk(await check(world.anyone, homes[0].site.url));
      const other = { id: 'b'.repeat(16), endpoint: `${homes[0].site.url}/two` };
      await list(world, other, ['quote'], { listing: other });
      mustRefuse(await claim(alice, other.id), 400, 'domain-not-proved');
      assert.deepEqual(idsOf(mustOk(await claim(alice, id))), [id], 'hers is answered again');
      assert.equal(mustOk(await claim(alice))['count'], 0);
    });

    it('is one winner’s when the domain changes hands meanwhile', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const id = await list(world, homes[0], ['quote']);
      await prove(alice, homes[0]);
      publish(homes[0], bob.keyId);
      const both = [claim(alice, id), check(bob, homes[0].site.url, bob.keyId)] as const;
      const [first, second] = await Promise.all(both);
      mustOk(second);
      assert.ok(first.status === 200 || first.body['code'] === 'domain-not-proved', first.text);
      assert.deepEqual(await holderOf(world, id), [undefined, undefined, 0]);
      mustOk(await claim(bob, id));
    });

    it('refuses in order', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const id = await list(world, homes[0], ['quote']);
      const foreign = await alice.post('/api/v1/passport/claim', { keyId: bob.keyId, agentId: id });
      mustRefuse(foreign, 400, 'key-not-bound');
      mustRefuse(await claim(alice, '0'.repeat(16)), 404, 'not-found');
      const { hint } = mustRefuse(await claim(alice, id), 400, 'domain-not-proved');
      assert.match(String(hint), new RegExp(`${homes[0].site.url}/.well-known/hub.json`));
      await set(world, id, { passport_key_id: bob.keyId, verification: 'hosted', claimed_at: 0 });
      await prove(alice, homes[0]);
      mustRefuse(await claim(alice, id), 400, 'listing-held');
    });
  });
}
