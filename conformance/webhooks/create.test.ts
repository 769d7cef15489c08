import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { claim, publish } from '../tasks/_work.ts';
import {
  amounts,
  cause,
  create,
  deliver,
  onEachDatabase,
  openWebhookWorld,
  verified,
  WEBHOOKS,
  withWebhook,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('webhooks.create', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  beforeEach(() => void world.receiver.received.splice(0));
  after(() => world.close());

  it('sends each event that follows, in order, signed in both schemes of Standard Webhooks', async () => {
    const { received } = world.receiver;
    const { agent, webhook } = await withWebhook(world);
    assert.deepEqual(
      [webhook['state'], webhook['waiting'], webhook['failures'], webhook['types']],
      ['active', 0, 0, []],
    );
    await cause(world, agent, 1, 2, 3);
    await deliver(world);
    assert.deepEqual(amounts(received), [1, 2, 3]);
    for (const message of received) {
      const { publicKey, secret } = webhook;
      assert.ok(verified(message, { publicKey, secret }));
      assert.ok(!verified({ ...message, body: `${message.body} ` }, { publicKey }));
      assert.ok(!verified({ ...message, body: `${message.body} ` }, { secret }));
      assert.equal(message.headers['content-type'], 'application/json');
      const seconds = Math.floor(world.hub.clock.now() / 1_000);
      assert.equal(message.headers['webhook-timestamp'], `${seconds}`);
    }
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 3);
    const events = mustOk(await agent.get('/api/v1/me/events'))['events'] as unknown[];
    const sent = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    assert.deepEqual(
      sent.map(({ data }) => data),
      events,
    );
    const [first] = sent;
    assert.deepEqual([first?.['type'], first?.['contentIsUntrusted']], ['money.in', true]);
    await deliver(world);
    assert.equal(received.length, 3, 'nothing twice');
  });

  it('begins behind the place that is named, or behind all that has happened', async () => {
    const agent = await world.agent();
    await cause(world, agent, 1, 2);
    const { next } = mustOk(await agent.get('/api/v1/me/events?limit=1'));
    await create(agent, { url: `${world.receiver.url}/all`, after: '0' });
    await create(agent, { url: `${world.receiver.url}/second`, after: next });
    await create(agent, { url: `${world.receiver.url}/new` });
    const ahead = await create(agent, {
      url: `${world.receiver.url}/ahead`,
      after: '99.99@sandbox',
    });
    assert.equal(ahead['cursor'], '0.2@sandbox', 'no place is ahead of what has happened');
    await cause(world, agent, 3);
    await deliver(world);
    const to = (path: string): number[] =>
      amounts(world.receiver.received.filter((each) => each.path === `/hook/${path}`));
    assert.deepEqual(
      [to('all'), to('second'), to('new'), to('ahead')],
      [[1, 2, 3], [2, 3], [3], [3]],
    );
  });

  it('sends the kinds that were asked for, and skips the others', async () => {
    const { agent } = await withWebhook(world, { types: ['task', 'money.out'] });
    await cause(world, agent, 500, 600);
    const pay = { to: world.bob.account, amount: '7', idempotencyKey: 'types' };
    mustOk(await agent.post(`/api/v1/wallet/${agent.account}/pay`, pay));
    await deliver(world);
    assert.deepEqual(amounts(world.receiver.received), [7]);
  });

  it('sends the turn of a holder by its kind, with the end of its time', async () => {
    const types = ['lease.your-turn', 'table.your-turn', 'dispute.your-turn', 'approval.pending'];
    const { agent } = await withWebhook(world, { types });
    await world.fund(world.alice, '2000000');
    const { id } = await publish(world.alice);
    await claim(agent, id);
    world.hub.clock.advance(1_600);
    await world.hub.runJob('claimWarnings');
    await deliver(world);
    const messages = world.receiver.received.map(({ body }) => JSON.parse(body) as unknown);
    const ends = new Date(world.hub.clock.now() + 200_000).toISOString();
    assert.deepEqual(
      messages.map((each) => ['kind', 'taskId', 'until'].map((name) => at(each, 'data', name))),
      [['lease.your-turn', id, ends]],
    );
  });

  it('is refused where the hub does not call', async () => {
    const agent = await world.agent();
    const bad: readonly (readonly [string, RegExp])[] = [
      ['http://127.0.0.1:1/hook', /./],
      ['https://127.0.0.1/hook', /./],
      ['https://169.254.169.254/latest', /./],
      ['https://[::1]/hook', /./],
      ['https://10.0.0.1/hook', /./],
      ['https://localhost/hook', /./],
      ['http://agent.example.com/hook', /http/],
      ['https://user:pass@agent.example.com/hook', /./],
      ['https://agent.example.com/hook#part', /fragment/],
      ['ftp://agent.example.com/hook', /./],
      [`${world.hub.url}/api/v1/handshake`, /./],
    ];
    for (const [address, why] of bad) {
      const answer = await agent.post(WEBHOOKS, { url: address });
      assert.match(String(mustRefuse(answer, 400, 'endpoint-refused')['error']), why, address);
    }
    const long = `https://agent.example.com/${'a'.repeat(4_000_000)}`;
    mustRefuse(await agent.post(WEBHOOKS, { url: long }), 400, 'body-too-large');
    const longer = `https://agent.example.com/${'a'.repeat(2_000)}`;
    mustRefuse(await agent.post(WEBHOOKS, { url: longer }), 400, 'bad-request');
    mustRefuse(await agent.post(WEBHOOKS, {}), 400, 'missing-field');
    const place = { url: 'https://agent.example.com/hook', after: 'x' };
    mustRefuse(await agent.post(WEBHOOKS, place), 400, 'bad-request');
    for (const types of [['nothing.known'], ['task*'], Array(21).fill('task')]) {
      const answer = await agent.post(WEBHOOKS, { url: 'https://agent.example.com/hook', types });
      mustRefuse(answer, 400, 'bad-request');
    }
    mustRefuse(
      await world.anyone.post(WEBHOOKS, { url: 'https://a.example.com' }),
      401,
      'unsigned',
    );
    assert.equal(mustOk(await agent.get(WEBHOOKS))['count'], 0);
  });

  it('gives an account ten, also to twenty calls at once', async () => {
    const agent = await world.agent();
    const calls = Array.from({ length: 20 }, (_, number) =>
      agent.post(WEBHOOKS, { url: `https://agent.example.com/${number}` }),
    );
    const answers = await Promise.all(calls);
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
    const refused = answers.find(({ status }) => status !== 200);
    assert.ok(refused !== undefined);
    mustRefuse(refused, 400, 'ceiling-reached');
  });

  it('stores no secret, and each webhook has its own keys', async () => {
    const { webhook } = await withWebhook(world);
    const { webhook: second } = await withWebhook(world);
    assert.notEqual(webhook['secret'], second['secret']);
    assert.notEqual(webhook['publicKey'], second['publicKey']);
    const rows = await world.hub.running.hub.store.read((db) => db.knex('webhooks'));
    const secret = String(webhook['secret']).replace('whsec_', '');
    assert.ok(!JSON.stringify(rows).includes(secret.slice(0, 20)));
  });

  it('wakes the job that sends', async () => {
    const { notifier } = world.hub.running.hub;
    const seen = notifier.published('webhooks');
    await withWebhook(world);
    await until(() => notifier.published('webhooks') > seen);
  });
});
