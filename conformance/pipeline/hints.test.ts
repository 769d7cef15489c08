import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  allowing,
  closeSites,
  notFound,
  startSite,
  type Site,
} from '../../clients/examples/agents/site.ts';
import type { Answer } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { callsOf } from '../harness/hints.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { newMarket } from '../predictions/_markets.ts';
import { act, claim, publish, type Body } from '../tasks/_work.ts';

/** Hints are followed as they are written: what a refusal names is there, and it helps. */
describe('hints of refusals', () => {
  let world: Fixture;
  let site: Site;
  before(async () => {
    site = await startSite((_, response) => notFound(response));
    world = await openFixture({ env: { ...allowing(site), HUB_RATE_LIMITS: 'true' } });
    await world.fund(world.alice, '900000000');
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  /** The first call between back-ticks, made as it stands. */
  const follow = async (refusal: Body, body: Body = {}): Promise<Answer> => {
    const hint = String(refusal['hint']);
    const [, method, path = ''] = /`(GET|POST) (\/[^\s`?{]+)[`?]/.exec(hint) ?? [];
    assert.ok(method !== undefined, hint);
    return method === 'GET' ? world.alice.get(path) : world.alice.post(path, body);
  };
  const published = (acceptance: Body): Promise<Answer> =>
    world.alice.post('/api/v1/tasks', {
      requester: world.alice.account,
      title: 'x',
      rewardAmount: '10000',
      acceptance,
    });

  it('name the task of a refused cancel and when it comes free', async () => {
    const { id } = await publish(world.alice);
    await claim(world.bob, id);
    const cancel = () => act(world.alice, id, 'cancel', { requester: world.alice.account });
    const refusal = mustRefuse(await cancel(), 400, 'already-claimed');
    assert.equal(mustOk(await follow(refusal))['id'], id);
    world.hub.clock.advance(Number(refusal['retryAfterSeconds']));
    mustOk(await cancel());
  });

  it('list the kinds for an unknown one, as the contract has them', async () => {
    const refusal = mustRefuse(
      await published({ kind: 'regex', pattern: 'x' }),
      400,
      'unknown-field-value',
    );
    assert.deepEqual(refusal['allowed'], ['all', 'json_schema', 'fields', 'contains', 'files']);
    const file = new URL('../../generated/openapi.json', import.meta.url);
    const document = JSON.parse(readFileSync(file, 'utf8')) as Body;
    const rule = at(
      document,
      'components',
      'schemas',
      'AcceptanceRule',
      'discriminator',
      'mapping',
    );
    assert.deepEqual(
      Object.keys(rule as object).sort(),
      [...(refusal['allowed'] as string[])].sort(),
    );
    const table = { creator: world.alice.account, format: 'omaha' };
    const poker = mustRefuse(
      await world.alice.post('/api/v1/games/poker/tables', table),
      400,
      'unknown-field-value',
    );
    assert.deepEqual(poker['allowed'], ['cash', 'sng']);
  });

  it('have a subject for a schema that cannot be judged', async () => {
    for (const [schema, where] of [
      [{ $ref: 'https://x.example/a' }, 'body.acceptance/schema/$ref points inside this schema'],
      [{ type: 'strin' }, 'body.acceptance/schema/type is a type name'],
      [
        { properties: { a: { minimum: 'x' } } },
        'body.acceptance/schema/properties/a/minimum is a number',
      ],
    ] as const) {
      const refusal = mustRefuse(
        await published({ kind: 'json_schema', schema }),
        400,
        'bad-acceptance',
      );
      assert.ok(String(refusal['error']).includes(where), String(refusal['error']));
    }
  });

  it('name the chain that ended', async () => {
    const steps = [{ title: 'a', description: 'a', rewardAmount: '10000' }];
    const body = { requester: world.alice.account, title: 'c', steps };
    const { id } = mustOk(await world.alice.post('/api/v1/chains', body));
    const path = `/api/v1/chains/${String(id)}/abandon`;
    const requester = { requester: world.alice.account };
    mustOk(await world.alice.post(path, requester));
    const refusal = mustRefuse(await world.alice.post(path, requester), 400, 'wrong-state');
    assert.equal(mustOk(await follow(refusal))['state'], 'abandoned');
  });

  it("name what works instead for another's comment", async () => {
    const { id } = await publish(world.alice);
    const path = `/api/v1/tasks/${id}/comments`;
    const comment = mustOk(
      await world.bob.post(path, { author: world.bob.account, body: 'Is it open?' }),
    );
    const commentId = String(comment['id']);
    const refusal = mustRefuse(
      await world.alice.post(`${path}/${commentId}/withdraw`, {}),
      400,
      'not-a-party',
    );
    const [call] = callsOf(String(refusal['hint']));
    const body = String(call?.body).replace('<your account>', world.alice.account);
    const answer = mustOk(await world.alice.post(String(call?.path), JSON.parse(body)));
    assert.equal(answer['parentId'], commentId);
  });

  it('name what to change in amounts that are too small or do not go together', async () => {
    const { alice } = world;
    const market = '/api/v1/games/predictions/markets';
    const small = await alice.post(`${market}/${await newMarket(world)}/bet`, {
      side: 'yes',
      amount: '1',
    });
    assert.match(String(mustRefuse(small, 400, 'below-minimum')['hint']), /^Send the call again/);
    const tables = '/api/v1/games/poker/tables';
    const table = (more: Body): Promise<Answer> =>
      alice.post(tables, { format: 'cash', seats: 6, bigBlind: '1000', ...more });
    const blinds = mustRefuse(await table({ smallBlind: '1001' }), 400, 'not-together');
    assert.match(String(blinds['hint']), /smallBlind, bigBlind, minBuyIn, maxBuyIn/);
    assert.equal(blinds['field'], 'body.smallBlind');
    const huge = mustRefuse(await table({ bigBlind: '900000000000000' }), 400, 'buyin-range');
    assert.deepEqual(
      [huge['field'], String(huge['hint']).includes('less in body.bigBlind')],
      ['body.bigBlind', true],
    );
  });

  it('lead elsewhere than to the call that was made, for a body that is too large', async () => {
    const tooLarge = async (path: string, bytes: number): Promise<string> => {
      const body = { text: 'x'.repeat(bytes) };
      return String(mustRefuse(await world.alice.post(path, body), 400, 'body-too-large')['hint']);
    };
    const files = await tooLarge('/api/v1/files', 46_000_000);
    assert.match(files, /^Split the file/);
    assert.ok(!files.includes('POST /api/v1/files'), files);
    assert.match(await tooLarge('/api/v1/memory', 300_000), /POST \/api\/v1\/files/);
    assert.ok(!(await tooLarge('/api/v1/games/poker/tables', 300_000)).includes('files'));
  });

  it('name each type that a field takes, and a kind that is missing', async () => {
    const tables = '/api/v1/games/poker/tables';
    const typed = mustRefuse(
      await world.alice.post(tables, { format: 'cash', seats: 6, bigBlind: true }),
      400,
      'bad-amount',
    );
    assert.match(String(typed['error']), /body\.bigBlind must be string or integer; got true/);
    const kind = mustRefuse(await published({ of: [] }), 400, 'missing-field');
    assert.deepEqual(
      [kind['field'], kind['allowed']],
      ['body.acceptance.kind', ['all', 'json_schema', 'fields', 'contains', 'files']],
    );
    const note = await world.alice.post('/api/v1/memory', {
      author: world.alice.account,
      spaceId: crypto.randomUUID(),
      content: 7,
    });
    mustRefuse(note, 400, 'bad-request');
  });

  it('ask to leave `key:` out where an account is given for a key id', async () => {
    for (const path of ['/api/v1/passport', '/api/v1/passport/claim']) {
      const answer = await world.alice.post(path, { keyId: world.alice.account });
      const refusal = mustRefuse(answer, 400, 'bad-account');
      assert.match(String(refusal['hint']), /^Leave `key:` out/);
    }
    mustOk(await world.alice.post('/api/v1/passport', { keyId: world.alice.keyId }));
  });

  it('lead from the narrow allowance to a handshake that raises it, though it is used up', async () => {
    const spent = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
    try {
      for (let n = 0; ; n += 1) {
        const answer = await spent.anyone.get('/api/v1/networks');
        if (answer.status === 200 && n < 400) continue;
        const refusal = mustRefuse(answer, 429, 'rate-limited');
        assert.match(String(answer.headers.get('x-ratelimit-policy')), /^"anon";q=300/);
        const [call] = callsOf(String(refusal['hint']));
        assert.deepEqual([call?.method, call?.path], ['POST', '/api/v1/handshake']);
        mustOk(await spent.anyone.post(String(call?.path), { name: 'reader' }));
        const wide = await spent.anyone.get('/api/v1/networks');
        assert.equal(wide.status, 200);
        assert.match(String(wide.headers.get('x-ratelimit-policy')), /^"introduced";q=1200/);
        break;
      }
    } finally {
      await spent.close();
    }
  });

  it('name the ration that is in the headers, and no handshake that would not help', async () => {
    for (let n = 0; ; n += 1) {
      const answer = await world.anyone.get('/api/v1/search?q=pdf');
      if (answer.status === 200 && n < 100) continue;
      const refusal = mustRefuse(answer, 429, 'rate-limited');
      assert.doesNotMatch(String(refusal['hint']), /handshake/);
      assert.match(String(answer.headers.get('x-ratelimit-policy')), /^"search";q=60/);
      break;
    }
    for (let n = 0; ; n += 1) {
      const answer = await world.anyone.post('/api/v1/passport/verify', { origin: site.url });
      if (answer.status === 200 && n < 10) continue;
      mustRefuse(answer, 429, 'rate-limited');
      assert.equal(answer.headers.get('x-ratelimit-policy'), '"proofs";q=6;w=3600');
      assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
      break;
    }
  });
});
