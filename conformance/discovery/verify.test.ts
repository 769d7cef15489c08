import assert from 'node:assert/strict';
import { startA2aSdk1 } from '../../clients/examples/agents/a2aSdk.ts';
import { startMcpSdk1 } from '../../clients/examples/agents/mcpSdk1.ts';
import { startPriced } from '../../clients/examples/agents/priced.ts';
import {
  allowing,
  closeSites,
  notFound,
  startSite,
  type Site,
} from '../../clients/examples/agents/site.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Json = Record<string, unknown>;
const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

describe('discovery.verify', () => {
  let world: Fixture;
  afterEach(async () => {
    await world.close();
    await closeSites();
  });
  const check = async (url: string, more = ''): Promise<Json> =>
    mustOk(await world.anyone.get(`/api/v1/verify?url=${encodeURIComponent(url)}${more}`));
  const worldWith = async (...sites: readonly Site[]): Promise<void> => {
    world = await openFixture({ env: { ...allowing(...sites), HUB_RATE_LIMITS: 'true' } });
  };
  const callsOf = (site: Site): number =>
    site.bodies.filter((body) => body.includes('"tools/call"')).length;

  it('looks without calling tools, then calls them when asked to', async () => {
    const site = await startMcpSdk1();
    await worldWith(site);
    const url = `${site.url}/mcp`;
    const first = await check(url);
    assert.deepEqual(
      [first['kind'], first['answers'], first['availability'], first['fresh'], first['freshLeft']],
      ['mcp', true, 'live', false, 10],
    );
    assert.equal(callsOf(site), 0);
    const fresh = await check(url, '&fresh=1');
    assert.deepEqual([fresh['fresh'], fresh['freshLeft']], [true, 9]);
    assert.equal(callsOf(site), 1);
    const tools = (fresh['tools'] as Json[]).map(({ name, verdict, why }) => [name, verdict, why]);
    assert.deepEqual(tools, [
      ['list-currencies', 'served', 'It was called and served.'],
      ['convert', 'not-called', 'It requires 3 argument(s).'],
      ['delete_history', 'not-called', 'Its name has the write verb "delete".'],
    ]);
    const receipt = new URL(String(fresh['receipt'])).pathname;
    assert.equal(mustOk(await world.anyone.get(receipt))['state'], 'listed');
    const before = site.requests.length;
    await check(url);
    assert.equal(site.requests.length, before, 'the last look is recent');
  });

  it('calls no tool for which nothing but the absence of a forbidden word speaks', async () => {
    const named = (
      'shutdown format-disk truncate eval migrate vote follow mute rebase empty-trash call-phone ' +
      'sms fire hire detonate weather'
    ).split(' ');
    const inputSchema = { type: 'object' as const, properties: {} };
    const site = await startMcpSdk1({
      tools: [...named, 'get_weather', 'status'].map((name) => {
        return { name, description: `Does ${name}.`, inputSchema };
      }),
    });
    await worldWith(site);
    const { tools } = await check(`${site.url}/mcp`, '&fresh=1');
    const bodies = site.bodies.filter((body) => body.includes('"tools/call"'));
    const called = bodies.map((body) => at(JSON.parse(body) as Json, 'params', 'name'));
    assert.deepEqual(called, ['get_weather', 'status']);
    for (const { name, verdict, why } of tools as Json[]) {
      if (!named.includes(String(name))) continue;
      assert.equal(verdict, 'not-called', String(name));
      assert.match(String(why), /write verb|No reading verb leads its name/);
    }
  });

  it('counts one look in twenty minutes, so a server that restarts is not delisted', async () => {
    let isDown = false;
    const inner = await startMcpSdk1();
    const site = await startSite(async ({ method, path, body }, response) => {
      if (isDown && method === 'POST') return void response.writeHead(503).end();
      const init = method === 'POST' ? { body, headers: JSON_HEADERS } : {};
      const answer = await fetch(inner.url + path, { method, ...init });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    });
    await worldWith(inner, site);
    const url = `${site.url}/mcp`;
    const { agentId } = await check(url, '&fresh=1');
    const listing = async (): Promise<readonly unknown[]> => {
      const { availability, uptime, looks30d } = mustOk(
        await world.anyone.get(`/api/v1/agents/${String(agentId)}`),
      );
      return [availability, uptime, at(looks30d, 'live'), at(looks30d, 'notSpeaking')];
    };
    assert.deepEqual(await listing(), ['live', 1, 1, 0]);
    isDown = true;
    for (let n = 0; n < 4; n += 1) {
      assert.equal((await check(url, '&fresh=1'))['answers'], false, 'this look saw it down');
    }
    assert.deepEqual(await listing(), ['live', 1, 1, 0]);
    world.hub.clock.advance(1_200);
    for (let n = 0; n < 3; n += 1) await check(url, '&fresh=1');
    assert.deepEqual(await listing(), ['unstable', 0.5, 1, 1], 'one miss, still listed');
    isDown = false;
    assert.equal((await check(url, '&fresh=1'))['answers'], true);
    assert.deepEqual(await listing(), ['unstable', 0.5, 1, 1], 'nor do good looks add up');
  });

  it('recognises an agent card and an x402 address by their answers', async () => {
    const [agent, priced] = [await startA2aSdk1(), await startPriced({ amount: '77' })];
    await worldWith(agent, priced);
    assert.deepEqual(at(await check(agent.url), 'kind'), 'a2a');
    const card = await check(`${agent.url}/.well-known/agent-card.json`);
    assert.deepEqual([card['kind'], card['name']], ['a2a', 'Language agent']);
    const quote = await check(`${priced.url}/v1`);
    assert.deepEqual(
      [quote['kind'], quote['answers'], quote['access'], at(quote, 'price', 'amount')],
      ['x402', true, 'paid', '77'],
    );
  });

  it('answers 200 for what does not answer, with the reason', async () => {
    const [page, gone] = [
      await startSite((_, response) => notFound(response)),
      await startSite((_, response) => notFound(response)),
    ];
    await worldWith(page, gone);
    await gone.close();
    const silent = await check(gone.url);
    assert.deepEqual([silent['answers'], silent['availability']], [false, 'unreachable']);
    const speechless = await check(`${page.url}/mcp`);
    assert.deepEqual([speechless['answers'], speechless['availability']], [false, 'not-speaking']);
    assert.match(String(speechless['availabilityNote']), /\w/);
  });

  it('rations fresh checks to ten an hour for a caller', async () => {
    const site = await startMcpSdk1();
    await worldWith(site);
    const url = `${site.url}/mcp`;
    for (let n = 9; n >= 0; n -= 1) {
      assert.equal((await check(url, '&fresh=1'))['freshLeft'], n);
      world.hub.clock.advance(60);
    }
    const path = `/api/v1/verify?url=${encodeURIComponent(url)}&fresh=1`;
    const refusal = mustRefuse(await world.anyone.get(path), 429, 'rate-limited');
    assert.equal(refusal['retryAfterSeconds'], 3000);
    assert.equal((await check(url))['freshLeft'], 0);
    world.hub.clock.advance(3000);
    assert.equal((await check(url, '&fresh=1'))['freshLeft'], 0);
  });

  it('refuses addresses that the hub does not call', async () => {
    world = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
    for (const url of ['https://localhost/', 'http://192.168.1.1/mcp', 'https://u:p@a.example/']) {
      const path = `/api/v1/verify?url=${encodeURIComponent(url)}`;
      mustRefuse(await world.anyone.get(path), 400, 'endpoint-refused');
    }
  });
});
