import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { callSkill, mustComplete } from '../doors/a2a/_door.ts';
import {
  mustRefuseResult,
  mustResult,
  send,
  toolCall,
  type Json,
  type RpcAnswer,
} from '../doors/mcp/_door.ts';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openScripted, type Scripted } from './_scripted.ts';
import * as place from './_world.ts';

for (const [database, url] of DATABASES) {
  describe(`hosted listings over MCP and A2A (${database})`, function suite() {
    this.timeout(place.SUITE_MS_MAX);
    let desk: Scripted;
    before(async () => {
      desk = await openScripted(await url(), 1);
    });
    after(() => desk.close());
    const tool = (name: string, given: Json, by: Agent): Promise<RpcAnswer> =>
      send(desk.world, toolCall(1, name, given), { by });

    it('are listed, renamed and taken down by name, for their holder alone', async () => {
      const { world, listed } = desk;
      const { holder, listing } = await listed(0, { name: 'Before' });
      const [owner, keyId] = [holder.account, holder.keyId];
      const list = mustResult(await tool('hosted-list', {}, holder));
      assert.deepEqual(list, mustOk(await holder.get('/api/v1/hosted')));
      const stranger = await world.agent();
      const theirs = { owner: stranger.account, keyId };
      mustRefuseResult(await tool('hosted-delete', theirs, stranger), 'key-not-bound');
      mustRefuseResult(
        await tool('hosted-publish', { ...theirs, name: 'Theirs' }, stranger),
        'key-not-bound',
      );
      mustResult(await tool('hosted-publish', { owner, keyId, name: 'After' }, holder));
      const path = `/api/v1/agents/${String(listing['id'])}`;
      assert.equal(mustOk(await world.anyone.get(path))['name'], 'After');
      const sent = await callSkill(world, '1.0', 'hosted-delete', { owner, keyId }, { by: holder });
      mustComplete(sent, '1.0');
      mustRefuse(await world.anyone.get(path), 404, 'not-found');
      const after = mustResult(await tool('hosted-list', {}, holder));
      assert.ok(typeof at(after, 'listings', 0, 'takenDownAt') === 'string');
    });
  });
}
