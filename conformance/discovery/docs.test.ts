import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

describe('discovery.docs', () => {
  let world: Fixture;
  let page: string;
  let policy: string;
  before(async () => {
    world = await openFixture();
    const answer = await world.anyone.get('/docs');
    mustOk(answer);
    page = answer.text;
    policy = answer.headers.get('content-security-policy') ?? '';
    assert.equal(answer.headers.get('content-type'), 'text/html');
  });
  after(() => world.close());

  it('is one file: nothing in it makes a browser load from elsewhere', () => {
    const remote = [
      /<(?:script|img|iframe|source)\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?\/\//i,
      /<link\b[^>]*\bhref\s*=/i,
      /@import\b[^;]{0,40}\/\//i,
      /url\(\s*["']?(?:https?:)?\/\//i,
      /\b(?:cdn|fonts|unpkg|jsdelivr)\.[a-z]/i,
    ];
    for (const pattern of remote) assert.doesNotMatch(page, pattern);
  });

  it('may run its own scripts, no others, and load nothing', () => {
    const scripts = [...page.matchAll(/<script[^>]*>([^]*?)<\/script>/g)];
    assert.ok(scripts.length > 0);
    for (const [, code] of scripts) {
      const hash = createHash('sha256')
        .update(code ?? '')
        .digest('base64');
      assert.ok(policy.includes(`'sha256-${hash}'`), 'a script of the page is not let in');
    }
    assert.match(policy, /^default-src 'none'; script-src 'sha256-/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  });

  it('describes this contract', async () => {
    const { routes } = mustOk(await world.anyone.get('/api/v1'));
    for (const { operationId } of routes as Record<string, unknown>[]) {
      assert.ok(page.includes(`"operationId":"${String(operationId)}"`), String(operationId));
    }
  });
});
