import assert from 'node:assert/strict';
import { DRY_RUN, joinAccount, type Agent, type Answer } from '../../harness/agents.ts';
import { closeSites } from '../../../clients/examples/agents/site.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { at, mustOk } from '../../harness/must.ts';
import { chosenIn, offersIn, type Offer } from '../../harness/offers.ts';
import { bet, createMarket, HOUR, MARKETS, resolve, takeSeat } from '../../predictions/_markets.ts';
import { startAgent, type ScriptedAgent } from '../../router/_agent.ts';
import { list, tryCall } from '../../router/_fixture.ts';

/**
 * Offers of all areas beside tasks and poker, which have walks of their own: each is taken up as it
 * stands by the account that it names, or by the signer of the answer, without its being kept. What
 * a note leaves to the caller is filled in. Each answer of each suite is checked for offers that the
 * document does not allow (`conformance/harness/offers.ts`).
 */
describe('next of answers in every area', function suite() {
  this.timeout(60_000);
  let world: Fixture;
  let shop: ScriptedAgent;
  let agents: readonly Agent[];
  let agentId: string;
  const taken = new Set<string>();
  before(async () => {
    shop = await startAgent({
      paid: (_, { send }) => send(402, { x402Version: 1, accepts: [] }),
      down: (_, { send }) => send(500, {}),
      free: (_, { result }) => result({ content: [{ type: 'text', text: 'Here.' }] }),
    });
    const pair = new URL(shop.endpoint).host;
    world = await openFixture({ env: { HUB_ALLOW_PRIVATE_HOSTS: pair } });
    agents = [world.alice, world.bob, await world.agent(), await world.agent()];
    for (const agent of agents) await world.fund(agent, '100000000');
    const tools = ['paid', 'down', 'free'];
    agentId = await list(world, shop, tools, { holder: world.bob, price: '400' });
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  /** Has the right account take up every offer of an answer. */
  const follow = async (signer: Agent, answer: Answer): Promise<Answer> => {
    assert.ok(answer.status < 300, answer.text);
    for (const offer of offersIn(answer.body)) {
      const agent = taker(offer.who) ?? signer;
      const { method, path } = offer.call;
      const headers = method === 'GET' ? {} : DRY_RUN;
      const body = filled(offer, agent);
      const sent = await agent.send(await agent.signed(method, path, body, headers));
      const from = `${answer.text}\noffers ${JSON.stringify(offer)}\n${sent.text}`;
      assert.ok(sent.status < 300, from);
      taken.add(offer.action);
    }
    return answer;
  };
  const get = async (agent: Agent, path: string): Promise<Answer> =>
    follow(agent, await agent.get(path));
  const post = async (agent: Agent, path: string, body: unknown): Promise<Answer> =>
    follow(agent, await agent.post(path, body));

  /** An account, or one that has the role which a public answer names. */
  const taker = (who: string): Agent | undefined => {
    if (who === 'any account but the creator') return agents[3];
    if (who === 'a staked judge without a position') return world.bob;
    return agents.find(({ account }) => account === who);
  };

  /** Values for what a note leaves to the caller. */
  const filled = (offer: Offer, agent: Agent): unknown => {
    const choices: Readonly<Record<string, unknown>> = {
      caller: agent.account,
      keyId: agent.keyId,
      origin: 'https://a.example.org',
      rating: 4,
      title: 'Reads a page',
    };
    const chosen = chosenIn(offer).map((name) => [name, choices[name]] as const);
    return offer.call.body && { ...offer.call.body, ...Object.fromEntries(chosen) };
  };

  it('can be taken up of a call, whether it was priced, failed or served', async () => {
    const outcomes: unknown[] = [];
    for (const [operation, maxPrice] of [
      ['paid', '1'],
      ['paid', undefined],
      ['down', '400'],
      ['free', '400'],
    ] as const) {
      const body = { operation, agentId, arguments: { page: 1 }, tryAtMost: 1, maxPrice };
      const answer = await follow(world.alice, await tryCall(world.alice, body));
      outcomes.push(at(answer.body, 'receipt', 'outcome'));
    }
    assert.deepEqual(outcomes, ['priced', 'priced', 'failed', 'served']);
    await get(world.alice, '/api/v1/call/receipts');
    await get(world.alice, `/api/v1/agents/${agentId}`);
    await get(world.alice, '/api/v1/agents?limit=5');
  });

  it('can be taken up of listings and of addresses that the hub was given', async () => {
    await get(world.alice, `/api/v1/agents/${agentId}/claim`);
    await get(world.alice, `/api/v1/agents/${agentId}/claim?keyId=${world.alice.keyId}`);
    await get(world.alice, `/api/v1/hosts/${new URL(shop.endpoint).hostname}`).catch(
      () => undefined,
    );
    await post(world.alice, '/api/v1/handshake', {});
    await post(world.alice, '/api/v1/handshake', { intent: 'earn' });
    await post(world.alice, '/api/v1/agents', { url: shop.endpoint });
  });

  it('can be taken up of passports', async () => {
    const { keyId } = world.alice;
    await get(world.bob, `/api/v1/passport/${world.bob.keyId}/claimable`).catch(() => undefined);
    mustOk(await world.alice.post('/api/v1/passport', { keyId }));
    await get(world.alice, `/api/v1/passport/${keyId}/claimable`);
  });

  it('can be taken up of keys that wait, by the account and by the key', async () => {
    const [carol, dave] = [await world.agent(), await world.agent()];
    agents = [...agents, carol, dave];
    const path = `/api/v1/wallet/${world.alice.account}/keys`;
    await post(carol, path, { publicKey: carol.keyId });
    await get(world.alice, path);
    mustOk(await joinAccount(world.alice, dave));
    await get(world.alice, path);
  });

  it('can be taken up of money that leaves, until it is gone', async () => {
    const path = `/api/v1/wallet/${world.alice.account}/withdraw`;
    const address = `0x${'11'.repeat(20)}`;
    const body = { address, amount: '1000000', idempotencyKey: 'one' };
    await follow(world.alice, await world.alice.post(path, body));
    const withdrawals = `/api/v1/wallet/${world.alice.account}/withdrawals`;
    await get(world.alice, withdrawals);
    world.hub.clock.advance(HOUR);
    await world.hub.runJob('withdrawals').catch(() => undefined);
    await get(world.alice, withdrawals);
    await get(world.alice, '/api/v1/me');
  });

  it('can be taken up of seats', async () => {
    const { bob } = world;
    await takeSeat(bob);
    const [seat] = (mustOk(await bob.get('/api/v1/validators'))['validators'] ?? []) as object[];
    assert.ok(seat !== undefined);
    const endpoint = 'https://b.example-judges.org/judge';
    await post(bob, '/api/v1/validators', { account: bob.account, endpoint });
  });

  it('can be taken up of markets by their maker, a bettor, a judge and others', async () => {
    const made = await follow(world.alice, await createMarket(world, world.alice));
    const id = String(made.body['id']);
    const [, , , better] = agents;
    assert.ok(better !== undefined);
    const everybody = async (): Promise<void> => {
      for (const agent of [world.alice, world.bob, better]) {
        await get(agent, `${MARKETS}/${id}`);
        await get(agent, MARKETS);
        await get(agent, `${MARKETS}/due`).catch(() => undefined);
        await get(agent, '/api/v1/games/positions');
      }
    };
    await everybody();
    await follow(better, await bet(better, id, 'yes', 10_000));
    await everybody();
    world.hub.clock.advance(2 * HOUR);
    await everybody();
    await follow(world.bob, await resolve(world.bob, id, 'yes'));
    await everybody();
  });

  it('were of these operations', () => {
    assert.deepEqual([...taken].sort(), OPERATIONS);
  });
});

const OPERATIONS = [
  ...['discovery.handshake', 'passport.create', 'passport.verify'],
  ...['predictions.bet', 'predictions.resolve'],
  ...['registry.feed', 'registry.list', 'registry.reputation', 'registry.submission'],
  ...['router.call', 'tasks.publish', 'validators.register', 'validators.resign'],
  ...['wallet.bindKey', 'wallet.recall'],
];
