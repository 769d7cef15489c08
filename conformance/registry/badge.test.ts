import assert from 'node:assert/strict';
import { instant } from '../../domain/instant.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';
import { fill, listing, set } from './_index.ts';

describe('registry.badge', () => {
  let world: Fixture;
  const live = listing('live.example', {
    name: '</svg><script>alert(1)</script>',
    uptimeBps: 9_994,
    firstSeenAt: instant(Date.parse('2026-10-01T00:00:00Z')),
    latencyMs: 87,
  });
  const fresh = listing('fresh.example', {
    firstSeenAt: instant(Date.parse('2026-11-20T09:48:00Z')),
  });
  const gone = listing('gone.example', { availability: 'not-speaking' });
  before(async () => {
    world = await openFixture();
    await fill(world, [live, fresh, gone]);
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

  it('gives no share of a month to one that was seen for minutes', async () => {
    assert.match(await badge(fresh.listing.id), /live · seen for 12 min · /);
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
