import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { listingCode } from '../../domain/registry/code.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { charging } from '../router/_agent.ts';
import { call, receiptOf, spendable, SUITE_MS_MAX } from '../router/_fixture.ts';
import {
  claim,
  claimEndpoint,
  holderOf,
  idsOf,
  list,
  openStreet,
  prove,
  type Street,
} from './_domains.ts';

const CARD = '/.well-known/agent-card.json';

for (const [name, url] of DATABASES) {
  describe(`passport.claimEndpoint (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    beforeEach(async () => {
      street = await openStreet(await url(), { tools: { quote: charging(() => '30000') } });
    });
    afterEach(() => street.close());

    it('takes a server whose instructions name the key, and is called free', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const id = await list(world, homes[0], ['quote'], { price: '30000' });
      homes[0].opening.instructions = `Convert money.\nhub-key=${alice.keyId}. Ask politely.`;
      const taken = mustOk(await claimEndpoint(alice, id));
      assert.deepEqual([idsOf(taken), taken['karmaMoved']], [[id], 0]);
      assert.deepEqual(await holderOf(world, id), [alice.keyId, 'endpoint', 0]);
      delete homes[0].opening.instructions;
      const asked = homes[0].site.requests.length;
      assert.deepEqual(idsOf(mustOk(await claimEndpoint(alice, id))), [id], 'its own, again');
      assert.equal(homes[0].site.requests.length, asked, 'without another look');

      await world.fund(bob, '100000');
      const ask = { operation: 'quote', agentId: id, maxPrice: '50000' };
      const free = receiptOf(await call(bob, ask));
      assert.deepEqual([free['outcome'], free['cost']], ['priced', '0']);
      assert.match(String(free['why']), /domain/);

      await prove(alice, homes[0]);
      assert.deepEqual(idsOf(mustOk(await claim(alice))), [id], 'the domain makes more of it');
      assert.deepEqual(await holderOf(world, id), [alice.keyId, 'well-known', 5]);
      assert.equal(receiptOf(await call(bob, ask))['cost'], '30000');
      assert.equal(await spendable(alice), 30_000n);
    });

    it('takes an agent whose card names the key, wherever in it', async () => {
      const { world, homes } = street;
      const { alice } = world;
      const { site, pages } = homes[0];
      const endpoint = `${site.url}/a2a`;
      const id = listingCode('a2a', site.url);
      const listing = { id, kind: 'a2a', endpoint, transport: 'JSONRPC' } as const;
      await list(world, { endpoint }, ['one'], { listing });
      const card = (over: object): { readonly body: string } => ({
        body: JSON.stringify({
          name: 'Reader',
          description: 'Reads.',
          version: '1',
          protocolVersion: '0.3.0',
          url: endpoint,
          preferredTransport: 'JSONRPC',
          capabilities: {},
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [],
          ...over,
        }),
      });
      const token = `hub-key=${alice.keyId}`;
      pages.set(CARD, card({}));
      mustRefuse(await claimEndpoint(alice, id), 400, 'proof-not-found');
      pages.set(CARD, card({ url: `${site.url}/other`, description: token }));
      mustRefuse(await claimEndpoint(alice, id), 400, 'endpoint-not-dialable');
      pages.set(CARD, { status: 302, headers: { location: '/card' }, body: '' });
      pages.set('/card', card({ description: token }));
      mustRefuse(await claimEndpoint(alice, id), 400, 'endpoint-not-dialable');
      for (const wrong of [`x${token}`, `${token}z`, `hub-key=${world.bob.keyId}`]) {
        pages.set(CARD, card({ description: wrong }));
        mustRefuse(await claimEndpoint(alice, id), 400, 'proof-not-found');
      }
      pages.set(CARD, card({ skills: [{ id: 'a', name: 'a', tags: [`Line\n${token}`] }] }));
      mustOk(await claimEndpoint(alice, id));
      assert.deepEqual(await holderOf(world, id), [alice.keyId, 'endpoint', 0]);
    });

    it('gives way to the domain, and to a text that names another key alone', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const id = await list(world, homes[0], ['quote']);
      const say = (...keys: readonly string[]): void => {
        homes[0].opening.instructions = keys.map((key) => `hub-key=${key}`).join(' ');
      };
      say(alice.keyId);
      mustOk(await claimEndpoint(alice, id));
      say(alice.keyId, bob.keyId);
      const held = mustRefuse(await claimEndpoint(bob, id), 400, 'listing-held');
      assert.match(String(held['error']), new RegExp(`held by ${alice.keyId}, by the text`));
      say(bob.keyId);
      mustOk(await claimEndpoint(bob, id));
      assert.deepEqual((await holderOf(world, id)).slice(0, 2), [bob.keyId, 'endpoint']);

      await prove(alice, homes[0]);
      assert.equal(mustOk(await claim(alice))['count'], 0, 'all means all without a holder');
      assert.deepEqual(idsOf(mustOk(await claim(alice, id))), [id]);
      assert.deepEqual(await holderOf(world, id), [alice.keyId, 'well-known', 5]);
      const before = homes[0].site.requests.length;
      mustRefuse(await claimEndpoint(bob, id), 400, 'listing-held');
      assert.equal(homes[0].site.requests.length, before, 'no server was asked');
    });

    it('has one winner of two at once', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const id = await list(world, homes[0], ['quote']);
      homes[0].opening.instructions = `hub-key=${alice.keyId} hub-key=${bob.keyId}`;
      const answers = await Promise.all([alice, bob].map((who) => claimEndpoint(who, id)));
      const codes = answers.map(({ body }) => body['code'] ?? 'ok');
      assert.deepEqual(codes.sort(), ['listing-held', 'ok']);
    });

    it('lets go when the code passes to another door of the host', async () => {
      const { world, homes } = street;
      const { alice } = world;
      const id = await list(world, homes[0], ['quote']);
      homes[0].opening.instructions = `hub-key=${alice.keyId}`;
      mustOk(await claimEndpoint(alice, id));
      await list(world, homes[0], ['quote', 'more']);
      assert.deepEqual((await holderOf(world, id)).slice(0, 2), [alice.keyId, 'endpoint']);
      await list(world, { endpoint: `${homes[0].site.url}/next` }, ['quote']);
      assert.deepEqual(await holderOf(world, id), [undefined, undefined, 0]);
    });

    it('refuses in order', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const foreign = { keyId: bob.keyId, agentId: '0'.repeat(16) };
      const post = (body: object) => alice.post('/api/v1/passport/claim-endpoint', body);
      mustRefuse(await post(foreign), 400, 'key-not-bound');
      mustRefuse(await claimEndpoint(alice, '0'.repeat(16)), 404, 'not-found');
      const shut = await list(world, { endpoint: 'https://10.0.0.1/mcp' }, ['one']);
      mustRefuse(await claimEndpoint(alice, shut), 400, 'endpoint-refused');
      const id = await list(world, homes[0], ['quote']);
      const nothing = mustRefuse(await claimEndpoint(alice, id), 400, 'proof-not-found');
      assert.match(String(nothing['hint']), new RegExp(`hub-key=${alice.keyId}`));
      await homes[0].site.close();
      mustRefuse(await claimEndpoint(alice, id), 400, 'endpoint-not-dialable');
      mustRefuse(await alice.get(`/api/v1/passport/${alice.keyId}`), 404, 'not-found');
    });
  });
}
