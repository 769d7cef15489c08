import { DATABASES } from '../harness/databases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { FREE, JOB, openScripted, pathOf, type Scripted } from '../hosted/_scripted.ts';
import * as place from '../hosted/_world.ts';
import { tryPublish } from '../hosted/_world.ts';
import { tryCall } from '../router/_fixture.ts';
import { decide, hubctl } from './_operator.ts';

for (const [database, url] of DATABASES) {
  describe(`hidden and banned listings (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let desk: Scripted;
    before(async () => {
      desk = await openScripted(await url(), 2);
    });
    after(() => desk.close());
    const free = { tool: 'free', arguments: {} };

    it('leave the index, take no call, and are not published again before the decision ends', async () => {
      const { world, listed, agents } = desk;
      const { holder, listing } = await listed(0, { name: 'Copied' });
      const id = String(listing['id']);
      mustOk(await world.anyone.post(pathOf(holder, 'call'), free));
      const decision = await decide([world], 'hide', 'listing', id, 'It copies another.');
      mustRefuse(await world.anyone.get(`/api/v1/agents/${id}`), 404, 'not-found');
      mustRefuse(await world.anyone.post(pathOf(holder, 'call'), free), 404, 'not-found');
      const caller = await world.agent();
      await world.fund(caller, '5000');
      const call = { agentId: id, operation: 'job', maxPrice: '700' };
      mustRefuse(await tryCall(caller, call), 404, 'not-found');
      const again = { endpoint: agents[0]?.endpoint, tools: [FREE, JOB] };
      mustRefuse(await tryPublish(holder, again), 400, 'moderated');
      await hubctl([world], 'lift', decision, 'It was first.');
      mustOk(await tryPublish(holder, again));
      mustOk(await world.anyone.get(`/api/v1/agents/${id}`));
    });

    it('go with a ban of their holder', async () => {
      const { world, listed, agents } = desk;
      const { holder, listing } = await listed(1);
      const ban = await decide([world], 'ban', holder.keyId, 'Fraud.');
      mustRefuse(
        await world.anyone.get(`/api/v1/agents/${String(listing['id'])}`),
        404,
        'not-found',
      );
      mustRefuse(await world.anyone.post(pathOf(holder, 'call'), free), 404, 'not-found');
      const again = { endpoint: agents[1]?.endpoint, tools: [FREE, JOB] };
      mustRefuse(await tryPublish(holder, again), 400, 'moderated');
      await hubctl([world], 'lift', ban, 'It paid them back.');
      mustOk(await tryPublish(holder, again));
    });
  });
}
