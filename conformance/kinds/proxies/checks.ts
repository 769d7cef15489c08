import assert from 'node:assert/strict';
import { freePort } from '../../../clients/examples/freePort.ts';
import { newAgent, plain, type Agent } from '../../harness/agents.ts';
import { overTls, type SecureAnswer } from '../../harness/https.ts';
import { startHub, type TestHub } from '../../harness/hub.ts';
import { startNginx, type Nginx } from './nginx.ts';

/**
 * `npm run proxy:nginx`. What a proxy can spoil: the address that a caller is counted by, the host
 * and the bytes that a signature covers, large bodies, and answers that take their time.
 */
const URL_OF_HUB = 'https://hub.example.org';

describe('a hub behind nginx, as docs/operate/tls.md has it', function suite() {
  this.timeout(60_000);
  let hub: TestHub;
  let nginx: Nginx;
  let place: { readonly url: string; readonly clock: TestHub['clock'] };
  before(async () => {
    const port = await freePort();
    const env = {
      HUB_PORT: String(port),
      HUB_BASE_URL: URL_OF_HUB,
      HUB_TRUSTED_PROXIES: '127.0.0.1',
      HUB_RATE_LIMITS: 'true',
    };
    hub = await startHub({ env });
    nginx = await startNginx(port);
    place = { url: URL_OF_HUB, clock: hub.clock };
  });
  after(async () => {
    await nginx.close();
    await hub.close();
  });
  const send = (request: Request, from = '127.0.0.1'): Promise<SecureAnswer> =>
    overTls(request, nginx, from);
  const rich = async (): Promise<Agent> => {
    const agent = await newAgent(place);
    const fund = { amount: '5000000', idempotencyKey: agent.keyId };
    const path = `/api/v1/wallet/${agent.account}/credit`;
    assert.equal((await send(plain(place, 'POST', path, fund))).status, 200);
    return agent;
  };

  it('counts each caller by its own address, whatever it writes of itself', async () => {
    const left = async (from: string, headers: Record<string, string> = {}): Promise<number> => {
      const request = plain(place, 'GET', '/nowhere');
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return Number((await send(request, from)).headers['x-ratelimit-remaining']);
    };
    assert.equal(await left('127.0.0.2'), 299);
    assert.equal(await left('127.0.0.2'), 298);
    assert.equal(await left('127.0.0.3'), 299);
    assert.equal(await left('127.0.0.3', { 'x-forwarded-for': '203.0.113.1' }), 298);
    assert.equal(await left('127.0.0.3', { forwarded: 'for=203.0.113.1' }), 297);
  });

  it('leaves host, path and query as they were signed', async () => {
    const agent = await rich();
    for (const path of [
      '/api/v1/me',
      '/api/v1/search?q=a%20b%2Fc%3Bd&limit=5',
      '/api/v1/search?q=%C3%A4+%F0%9F%90%9D&limit=05',
      `/api/v1/wallet/${agent.account.replace(':', '%3A')}`,
    ]) {
      const { status, body, text } = await send(await agent.signed('GET', path));
      assert.notEqual(status, 401, `${path}: ${text}`);
      if (!path.includes('05')) assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    }
    const to = { to: (await rich()).account, amount: '1', idempotencyKey: 'pay' };
    const paid = await send(await agent.signed('POST', `/api/v1/wallet/${agent.account}/pay`, to));
    assert.equal(paid.status, 200, paid.text);
  });

  it('takes a body of 4 MB, and refuses what the hub refuses in its own words', async () => {
    const agent = await rich();
    const content = Buffer.alloc(4_000_000, 'x').toString('base64');
    const file = { owner: agent.account, key: 'large', contentBase64: content };
    const kept = await send(await agent.signed('POST', '/api/v1/files', file));
    assert.equal(kept.status, 200, kept.text);
    const got = await send(await agent.signed('GET', `/api/v1/files/${agent.account}/large`));
    assert.equal(got.body['contentBase64'], content);
    const title = { requester: agent.account, title: 'x'.repeat(4_000_000) };
    const refused = await send(await agent.signed('POST', '/api/v1/tasks', title));
    assert.equal(refused.status, 400);
    assert.match(refused.text, /"code":"/);
  });

  it('passes a long poll on when work comes, long before its end', async () => {
    const [alice, bob] = [await rich(), await newAgent(place)];
    const polled = send(await bob.signed('POST', '/api/v1/tasks/claim?wait=30', {}));
    const began = performance.now();
    const task = { requester: alice.account, title: 'Now', rewardAmount: '1000' };
    assert.equal((await send(await alice.signed('POST', '/api/v1/tasks', task))).status, 200);
    const { body } = await polled;
    assert.equal((body['work'] as { title?: unknown } | null)?.title, 'Now');
    assert.ok(performance.now() - began < 20_000);
  });

  it('passes a stream of events on', async () => {
    const agent = await rich();
    const path = `/api/v1/wallet/${agent.account}/api-keys`;
    const minted = await send(await agent.signed('POST', path, {}));
    const messages = [{ role: 'user', content: 'one two three four' }];
    const ask = { model: 'hub/echo', messages, stream: true };
    const request = plain(place, 'POST', '/v1/chat/completions', ask);
    request.headers.set('authorization', `Bearer ${String(minted.body['key'])}`);
    const { status, headers, text } = await send(request);
    assert.equal(status, 200, text);
    assert.match(String(headers['content-type']), /^text\/event-stream/);
    assert.ok(text.split('\n\n').filter((each) => each.startsWith('data: ')).length > 4);
    assert.ok(text.trimEnd().endsWith('data: [DONE]'));
  });
});
