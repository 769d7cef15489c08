import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { mustRefuseResult, request, send, toolCall, type RpcAnswer } from './_door.ts';

/** Rate limits on, the clock in hand. Each test has a hub of its own. */
const ON = { env: { HUB_RATE_LIMITS: 'true' } };
const ANON_QUOTA = 300;
const SEARCH_QUOTA = 60;

describe('rate limits at the MCP door', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture(ON);
  });
  afterEach(() => world.close());

  const policy = ({ headers }: RpcAnswer): string =>
    `${headers.get('x-ratelimit-policy')} ${headers.get('x-ratelimit-remaining')}`;
  const search = (): Promise<RpcAnswer> => send(world, toolCall(1, 'discovery-search', { q: 'x' }));

  it('count the tool’s own operation, together with its route', async () => {
    await world.anyone.get('/api/v1/search?q=x');
    for (let times = 1; times < SEARCH_QUOTA; times += 1) {
      assert.equal(policy(await search()), `"search";q=60;w=60;pk=ip ${SEARCH_QUOTA - times - 1}`);
    }
    const refused = await search();
    const refusal = mustRefuseResult(refused, 'rate-limited');
    assert.equal(refusal['retryAfterSeconds'], 1);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await world.anyone.get('/api/v1/search?q=x')).status, 429);
    assert.equal((await send(world, toolCall(1, 'list-tasks', {}))).status, 200);
    world.hub.clock.advance(1);
    assert.notEqual((await search()).last['result'], undefined);
  });

  it('count a signed call on its account', async () => {
    const call = toolCall(1, 'wallet-me', {});
    const mine = await send(world, call, { by: world.alice });
    assert.equal(policy(mine), '"signed";q=1200;w=60;pk=account 1199');
    assert.equal(policy(await send(world, call, { by: world.bob })), policy(mine));
  });

  it('count every message of an unsigned address, and refuse at the door', async () => {
    for (let times = 0; times < ANON_QUOTA; times += 1) {
      const message =
        times % 2 === 0 ? request(1, 'ping') : { jsonrpc: '2.0', method: 'notifications/x' };
      assert.ok((await send(world, message)).status < 300);
    }
    const answer = await send(world, request(1, 'ping'));
    assert.equal(answer.status, 429);
    assert.equal(answer.last['code'], 'rate-limited');
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
  });

  it('count a message that needs no signature against the account that signed it', async () => {
    for (let times = 0; times <= ANON_QUOTA; times += 1) {
      const answer = await send(world, request(1, 'ping'), { by: world.alice });
      assert.equal(answer.status, 200);
      assert.equal(policy(answer), `"signed";q=1200;w=60;pk=account ${1199 - times}`);
    }
    assert.match(policy(await send(world, request(1, 'ping'))), /^"anon";/);
  });
});
