import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { takeListing } from '../../db/passport/listings.ts';
import type { KeyId } from '../../domain/account.ts';
import type { Agent } from '../harness/agents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { fill, listing, skill } from './_index.ts';
import { openReported, type ReportedFixture } from './_report.ts';

for (const [name, url] of DATABASES) {
  describe(`registry.refunds (${name})`, () => {
    let desk: ReportedFixture;
    let path: string;
    const offers = (...outputSchemas: readonly object[]): Promise<void> =>
      fill(desk.world, [
        listing(
          'desk.example',
          {},
          outputSchemas.map((schema, nth) => skill(`t${nth}`, { outputSchema: { ...schema } })),
        ),
      ]);
    before(async () => {
      desk = await openReported(await url());
      await offers({ type: 'object' });
      path = `/api/v1/agents/${desk.agentId}/refunds`;
    });
    after(() => desk.world.close());

    it('is said by the holder and shown to everybody', async () => {
      assert.equal((await desk.shown())['refunds'], 'output-schema');
      for (const refunds of ['acceptance', 'none', 'none']) {
        const answer = mustOk(await desk.world.bob.post(path, { refunds }));
        assert.deepEqual(answer, { id: desk.agentId, refunds });
        assert.equal((await desk.shown())['refunds'], refunds);
      }
    });

    it('refuses other accounts and values that it does not know', async () => {
      const { world } = desk;
      const refused = await world.alice.post(path, { refunds: 'acceptance' });
      const { hint, error } = mustRefuse(refused, 400, 'not-a-party');
      assert.match(String(error), new RegExp(`; that is ${world.bob.account}\\.`));
      const [, call = ''] = /GET (\S+) says/.exec(String(hint)) ?? [];
      assert.equal(mustOk(await world.anyone.get(call))['agentId'], desk.agentId);
      mustRefuse(await world.bob.post(path, { refunds: 'all' }), 400, 'unknown-field-value');
      const none = '/api/v1/agents/aaaaaaaaaaaaaaaa/refunds';
      mustRefuse(await world.bob.post(none, { refunds: 'none' }), 404, 'not-found');
    });

    it('says of a listing without a holder that it has none, and how it is claimed', async () => {
      const free = listing('free.example');
      await fill(desk.world, [free]);
      const { id } = free.listing;
      const refused = await desk.world.alice.post(`/api/v1/agents/${id}/refunds`, {
        refunds: 'none',
      });
      const { hint, error } = mustRefuse(refused, 400, 'not-a-party');
      assert.match(String(error), /; it has no holder\./);
      assert.match(String(hint), new RegExp(`GET /api/v1/agents/${id}/claim`));
      await desk.world.hub.running.hub.store.write(async (tx) => {
        await tx.knex('listings').where({ id }).delete();
      });
    });

    it('is not shown as a promise that no tool keeps', async () => {
      const { world } = desk;
      const state = async (refunds: string): Promise<void> => {
        const answer = mustOk(await world.bob.post(path, { refunds }));
        assert.equal(answer['refunds'], (await desk.shown())['refunds']);
      };
      const shown = async (): Promise<unknown> => {
        const { agents } = mustOk(await world.anyone.get('/api/v1/agents'));
        const [agent] = agents as readonly Record<string, unknown>[];
        const { refunds } = await desk.shown();
        assert.equal(agent?.['refunds'], refunds);
        return refunds;
      };
      const remote = { $ref: 'https://elsewhere.example/schema.json' };
      await state('output-schema');
      for (const [schemas, shows] of [
        [[], 'none'],
        [[remote], 'none'],
        [[remote, { pattern: '(?=a)' }, { type: 'whole' }], 'none'],
        [[remote, {}], 'output-schema'],
        [[{ type: 'object' }], 'output-schema'],
        [[remote], 'none'],
      ] as const) {
        await offers(...schemas);
        assert.equal(await shown(), shows);
      }
      for (const refunds of ['acceptance', 'none', 'output-schema']) {
        await state(refunds);
        assert.equal(await shown(), refunds === 'acceptance' ? 'acceptance' : 'none');
      }
      await offers({ type: 'object' });
      assert.equal(await shown(), 'output-schema');
    });

    it('begins with the default under another holder', async () => {
      const { world, agentId } = desk;
      const at = world.hub.clock.now();
      const take = (by: Agent): Promise<void> =>
        world.hub.running.hub.store.write((tx) =>
          takeListing(tx, agentId, { keyId: by.keyId as KeyId, proof: 'dns', at }),
        );
      mustOk(await world.bob.post(path, { refunds: 'acceptance' }));
      await take(world.bob);
      assert.equal((await desk.shown())['refunds'], 'acceptance');
      await take(world.alice);
      assert.equal((await desk.shown())['refunds'], 'output-schema');
    });
  });
}
