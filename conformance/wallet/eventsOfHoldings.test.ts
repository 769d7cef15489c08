import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { keyAccount, parseKeyId } from '../../domain/account.ts';
import { atomic } from '../../domain/money.ts';
import { noteHostedCall } from '../../workflows/hosted/note.ts';
import { startPriced, type PricedOptions } from '../../clients/examples/agents/priced.ts';
import { allowing, closeSites, startSite } from '../../clients/examples/agents/site.ts';
import { sendJson } from '../../clients/examples/agents/site.ts';
import type { Agent } from '../harness/agents.ts';
import { openFixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import * as markets from '../predictions/_markets.ts';
import * as poker from '../poker/_table.ts';
import { set } from '../registry/_index.ts';
import { openReported, type Body } from '../registry/_report.ts';

/** Events of an account beside tasks and money (choices wallet.following). */
const EIGHT_DAYS = 8 * 86_400;

async function eventsOf(agent: Agent, area: RegExp): Promise<readonly Body[]> {
  const page = mustOk(await agent.get('/api/v1/me/events?limit=200'));
  return (page['events'] as Body[]).filter(({ kind }) => area.test(String(kind)));
}

const kindsOf = (events: readonly Body[]): readonly unknown[] => events.map(({ kind }) => kind);

describe('wallet.events of a listing that one holds', () => {
  after(() => closeSites());

  it('reports that it is listed no longer and again, and what its tools cost', async () => {
    let isUp = true;
    const options: PricedOptions = { amount: '100' };
    const inner = await startPriced(options);
    const site = await startSite(async ({ method, path, body }, response) => {
      if (!isUp) return void response.destroy();
      const headers = { 'content-type': 'application/json' };
      const sent = { method, ...(method === 'POST' && { body, headers }) };
      const answer = await fetch(inner.url + path, sent);
      sendJson(response, answer.status, await answer.json().catch(() => ({})));
    });
    const world = await openFixture({ env: allowing(site) });
    try {
      mustOk(await world.anyone.post('/api/v1/mcp-servers', { url: `${site.url}/mcp` }), 202);
      await world.hub.runJob('crawl');
      const listed = mustOk(await world.anyone.get('/api/v1/agents'));
      const agentId = String(at(listed, 'agents', 0, 'id'));
      await set(world, agentId, { verification: 'endpoint', passport_key_id: world.bob.keyId });
      const crawl = async (): Promise<void> => {
        world.hub.clock.advance(EIGHT_DAYS);
        await world.hub.runJob('crawl');
      };
      options.amount = '900';
      await crawl();
      assert.deepEqual(kindsOf(await eventsOf(world.bob, /^listing/)), ['listing.price']);
      isUp = false;
      for (let n = 0; n < 4; n += 1) await crawl();
      isUp = true;
      await crawl();
      const reported = await eventsOf(world.bob, /^listing/);
      assert.deepEqual(kindsOf(reported), [
        'listing.price',
        'listing.availability',
        'listing.delisted',
        'listing.relisted',
      ]);
      assert.deepEqual(
        reported.map(({ agentId: id, state }) => [id, state]),
        ['live', 'unstable', 'unreachable', 'unstable'].map((state) => [agentId, state]),
      );
      assert.deepEqual(await eventsOf(world.alice, /^listing/), []);
    } finally {
      await world.close();
    }
  });
});

for (const [name, url] of DATABASES) {
  describe(`wallet.events of reports and refused calls (${name})`, () => {
    it('reports to the holder a report, and to its author the answer', async () => {
      const desk = await openReported(await url());
      const { world, agentId, path } = desk;
      try {
        const { id } = mustOk(await desk.report(world.alice, { reason: 'broken' }));
        mustOk(await world.bob.post(`${path}/${String(id)}`, { answer: 'Mended.' }));
        const [reported] = await eventsOf(world.bob, /^listing/);
        const [answered] = await eventsOf(world.alice, /^report/);
        const shown = [reported, answered].map((event) => {
          return [event?.['kind'], event?.['agentId'], event?.['reportId'], event?.['actor']];
        });
        assert.deepEqual(shown, [
          ['listing.reported', agentId, id, world.alice.account],
          ['report.answered', agentId, id, world.bob.account],
        ]);
        const { hub } = world.hub.running;
        const keyId = parseKeyId(world.bob.keyId);
        assert.ok(keyId !== undefined);
        const call = { caller: world.alice.account, tool: 'draw', price: atomic(0n), why: 'Busy.' };
        const refusal = { ...call, keyId, outcome: 'refused', durationMs: 1 } as const;
        await hub.store.decide({
          needs: [],
          decide: (db) => noteHostedCall(db, hub, refusal, keyAccount(keyId)),
        });
        const [refused] = await eventsOf(world.bob, /^hosted/);
        assert.deepEqual(
          [refused?.['kind'], refused?.['actor'], String(refused?.['callId']).length],
          ['hosted.refused', world.alice.account, 36],
        );
      } finally {
        await world.close();
      }
    });
  });
}

markets.onEachDatabase('wallet.events of markets', (world, agents) => {
  it('reports its end to its bettors and its creator alone', async () => {
    const { yes, no, judge } = agents();
    const id = await markets.newMarket(world());
    mustOk(await markets.bet(yes, id, 'yes', 300_000));
    mustOk(await markets.bet(no, id, 'no', 300_000));
    world().hub.clock.advance(markets.HOUR);
    mustOk(await markets.resolve(judge, id, 'yes'));
    for (const agent of [yes, no]) {
      const [ended, ...more] = await eventsOf(agent, /^market/);
      assert.deepEqual(
        [ended?.['kind'], ended?.['marketId'], ended?.['state'], ended?.['actor'], more],
        ['market.resolved', id, 'resolved', judge.account, []],
      );
    }
    assert.deepEqual(await eventsOf(await world().agent(), /^market/), []);
  });
});

poker.onEachDatabase('wallet.events of tables', (room) => {
  it('reports to its players that it begins and ends, and who is gone', async () => {
    const id = await poker.dealt(room(), 2);
    const [first, second] = room().players;
    assert.ok(first !== undefined && second !== undefined);
    const reported = async (player: Agent): Promise<readonly unknown[]> =>
      (await eventsOf(player, /^table/))
        .filter(({ tableId }) => tableId === id)
        .map(({ kind, state }) => `${String(kind)} ${String(state)}`);
    const turn = await poker.onTurn(room(), id);
    assert.ok(turn !== undefined);
    const other = turn.player === first ? second : first;
    const begun = ['table.running running', 'table.your-turn running'];
    assert.deepEqual(await reported(turn.player), begun);
    assert.deepEqual(await reported(other), begun.slice(0, 1));
    mustOk(await poker.leave(turn.player, id));
    assert.deepEqual(await reported(turn.player), [...begun, 'table.left open', 'table.open open']);
    assert.deepEqual(await reported(other), ['table.running running', 'table.open open']);
  });
});
