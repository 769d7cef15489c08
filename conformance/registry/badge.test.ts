import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';
import { fill, listing, set } from './_index.ts';

describe('registry.badge', () => {
  let world: Fixture;
  const live = listing('live.example', {
    name: '</svg><script>alert(1)</script>',
    uptimeBps: 9_994,
    latencyMs: 87,
  });
  const gone = listing('gone.example', { availability: 'not-speaking' });
  before(async () => {
    world = await openFixture();
    await fill(world, [live, gone]);
  });
  after(() => world.close());

  const badge = async (id: string): Promise<string> => {
    const { status, text, headers } = await world.anyone.get(`/badge/${id}.svg`);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^image\/svg\+xml/);
    assert.equal(headers.get('cache-control'), 'public, max-age=300');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'");
    return text;
  };

  it('shows availability, uptime and latency, and no text of the listing', async () => {
    const text = await badge(live.listing.id);
    assert.match(text, /aria-label="agent exchange: live · 99\.9 % of 30 d · 87 ms"/);
    assert.doesNotMatch(text, /script|alert/);
  });

  it('says verified when the domain was proved', async () => {
    await set(world, live.listing.id, { verification: 'dns', passport_key_id: 'k'.repeat(43) });
    assert.match(await badge(live.listing.id), / · verified</);
  });

  it('says what is down, and what is not listed', async () => {
    assert.match(await badge(gone.listing.id), />not speaking</);
    assert.match(await badge('0123456789abcdef'), />not listed</);
  });

  it('refuses what is no code', async () => {
    mustRefuse(await world.anyone.get('/badge/nothing.svg'), 400, 'bad-path');
  });
});
