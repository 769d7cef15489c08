import assert from 'node:assert/strict';
import { openFixture } from '../harness/fixture.ts';

describe('callers behind a trusted proxy', () => {
  const ask = async (url: string, forwarded: string): Promise<Response> => {
    const headers = { 'x-forwarded-for': forwarded };
    const answer = await fetch(new URL('/nowhere', url), { headers });
    await answer.arrayBuffer();
    return answer;
  };
  const remaining = (answer: Response): number =>
    Number(answer.headers.get('x-ratelimit-remaining'));

  it('have an allowance each', async () => {
    const env = { HUB_RATE_LIMITS: 'true', HUB_TRUSTED_PROXIES: '127.0.0.0/8' };
    const world = await openFixture({ env });
    assert.equal(remaining(await ask(world.hub.url, '203.0.113.1')), 299);
    assert.equal(remaining(await ask(world.hub.url, '203.0.113.1')), 298);
    assert.equal(remaining(await ask(world.hub.url, '203.0.113.2')), 299);
    // An address that a caller writes before that of the proxy has no effect.
    assert.equal(remaining(await ask(world.hub.url, '198.51.100.7, 203.0.113.2')), 298);
    await world.close();
  });

  it('are one address when no proxy is trusted', async () => {
    const world = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
    assert.equal(remaining(await ask(world.hub.url, '203.0.113.1')), 299);
    assert.equal(remaining(await ask(world.hub.url, '203.0.113.2')), 298);
    await world.close();
  });
});
