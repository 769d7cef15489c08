import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { SUITE_MS_MAX } from '../router/_fixture.ts';
import {
  claim,
  DAY,
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
  describe(`proved domains, looked at again (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    let id: string;
    beforeEach(async () => {
      street = await openStreet(await url());
      const { world, homes } = street;
      id = await list(world, homes[0], ['one']);
      await prove(world.alice, homes[0]);
      mustOk(await claim(world.alice, id));
    });
    afterEach(() => street.close());
    const later = async (seconds: number): Promise<Body | undefined> => {
      const { world } = street;
      world.hub.clock.advance(seconds);
      await world.hub.runJob('confirmDomains');
      return at(await passportOf(world, world.alice), 'domains', 0) as Body | undefined;
    };
    const asked = (): number =>
      street.homes[0].site.requests.filter((each) => each === `GET ${WELL_KNOWN}`).length;

    it('are confirmed once a day', async () => {
      const before = asked();
      await later(DAY - 1);
      assert.equal(asked(), before);
      const badge = await later(1);
      const { hub } = street.world;
      assert.equal(badge?.['lastConfirmedAt'], new Date(hub.clock.now()).toISOString());
      await hub.runJob('confirmDomains');
      assert.equal(asked(), before + 1);
    });

    it('are let go, with their listings, after a week without their proof', async () => {
      const { world, homes } = street;
      const { alice } = world;
      homes[0].pages.delete(WELL_KNOWN);
      const missing = (await later(DAY))?.['missingSince'];
      assert.equal(missing, new Date(world.hub.clock.now()).toISOString());
      assert.equal((await later(6 * HOUR))?.['missingSince'], missing, 'the first time counts');
      publish(homes[0], alice.keyId);
      assert.equal((await later(6 * HOUR))?.['missingSince'], undefined);

      homes[0].pages.delete(WELL_KNOWN);
      await later(DAY);
      assert.notEqual(await later(7 * DAY - 1), undefined);
      assert.deepEqual((await holderOf(world, id))[0], alice.keyId);
      assert.equal(await later(6 * HOUR), undefined);
      assert.deepEqual(await holderOf(world, id), [undefined, undefined, 0]);
      assert.equal(at(await passportOf(world, alice), 'karma', 'total'), 5);
    });

    it('stay while their host does not answer', async () => {
      const { world, homes } = street;
      homes[0].pages.set(WELL_KNOWN, { status: 502, body: '' });
      for (const _ of [1, 2, 3]) {
        assert.equal((await later(10 * DAY))?.['missingSince'], undefined);
      }
      assert.deepEqual((await holderOf(world, id))[0], world.alice.keyId);
    });

    it('say by which method they stand, on their listings as well', async () => {
      const { world, homes, records } = street;
      const { alice } = world;
      const host = 'agent.example.com';
      const origin = `https://${host}`;
      records.set(`_agent.${host}`, [`hub-key=${alice.keyId}`]);
      const body = { origin, keyId: alice.keyId };
      mustOk(await alice.post('/api/v1/passport/verify', body));
      const endpoint = `${origin}/mcp`;
      const named = await list(world, { endpoint }, ['one']);
      mustOk(await claim(alice, named));
      assert.equal((await holderOf(world, named))[1], 'dns');
      assert.equal((await holderOf(world, id))[1], 'well-known');
      assert.equal(homes.length, 3);
    });
  });
}
