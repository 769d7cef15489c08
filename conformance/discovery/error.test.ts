import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { html, prose } from '../../server/pages/html.ts';
import { errorTable } from '../../generated/errors.ts';
import { plain } from '../harness/agents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

describe('discovery.error', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const browser = (path: string) => {
    const request = plain(world.hub, 'GET', path);
    request.headers.set('accept', 'text/html');
    return world.anyone.send(request);
  };

  it('explains every code at the address that refusals give', async () => {
    for (const code of Object.keys(errorTable)) {
      const found = mustOk(await world.anyone.get(`/errors/${code}`));
      assert.deepEqual([found['code'], found['url']], [code, `${world.hub.url}/errors/${code}`]);
    }
    const refused = await world.anyone.get('/api/v1/me');
    const address = /http\S+$/.exec(String(refused.body['hint']))?.[0] ?? '';
    const explained = mustOk(await world.anyone.get(new URL(address).pathname));
    assert.equal(explained['code'], refused.body['code']);
  });

  it('knows no other code', async () => {
    for (const code of ['nope', 'constructor', 'to-string']) {
      const body = mustRefuse(await world.anyone.get(`/errors/${code}`), 404, 'not-found');
      assert.match(String(body['hint']), /GET \/errors/);
    }
  });

  it('is a page for a browser, which runs nothing and loads nothing', async () => {
    const { headers, text } = await browser('/errors/wrong-owner');
    const policy = headers.get('content-security-policy') ?? '';
    const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(policy.includes(`style-src 'sha256-${hash}'`), policy);
    assert.match(policy, /^default-src 'none';/);
    assert.doesNotMatch(text, /<script|\bon\w+=|src=|style=/i);
    assert.match(text, /<meta charset="utf-8"/);
    assert.match(text, /<h1><code>wrong-owner<\/code><\/h1>/);
  });

  it('escapes whatever stands in a text', () => {
    const evil = `<img src=x onerror="alert('1')">&`;
    const safe = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;';
    assert.equal(html`<p>${evil}</p>`.html, `<p>${safe}</p>`);
    assert.equal(html`${prose(`a \`${evil}\``)}`.html, `a <code>${safe}</code>`);
    assert.equal(html`${html`<b>${1}</b>`}${[html`<i>2</i>`]}`.html, '<b>1</b><i>2</i>');
  });
});
