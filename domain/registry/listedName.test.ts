import assert from 'node:assert/strict';
import { listedName } from './listedName.ts';

describe('names without the marks of the hub', () => {
  for (const [given, shown] of [
    ['Weather ✓', 'Weather'],
    ['✅ Weather ☑️', 'Weather'],
    ['Weather (verified by Agent Exchange Hub)', 'Weather'],
    ['Weather [VERIFIED]', 'Weather'],
    ['Weather - vеrіfіеd by the hub', 'Weather'],
    ['Weather V3rified', 'Weather'],
    ['Weather, karma 999', 'Weather'],
    ['Weather (999 karma)', 'Weather'],
    ['Agent Exchange Hub | Weather', 'Weather'],
    ['⭐⭐⭐⭐⭐ Weather ⭐', 'Weather'],
    ['Weather | trusted by millions, for sailors', 'Weather | for sailors'],
    ['Weather — Officially Verified', 'Weather'],
    ['Weather [hub verified ✔\ufe0e]', 'Weather'],
    ['Verified: Weather', 'Weather'],
    ['Fully audited - Weather', 'Weather'],
    ['Weather (karma: 1,234,567)', 'Weather'],
    ['Weather 1.234 karma', 'Weather'],
    ['AgentExchangeHub Weather', 'Weather'],
    ['Domain Hub', 'Domain Hub'],
    ['Verified Data Feeds', 'Verified Data Feeds'],
    ['Karma Calculator', 'Karma Calculator'],
    ['/a (beta)', '/a (beta)'],
    ['Acme™ Weather 2', 'Acme™ Weather 2'],
    ['天気予報', '天気予報'],
  ] as const) {
    it(`shows ${JSON.stringify(given)} as ${JSON.stringify(shown)}`, () => {
      assert.equal(listedName(given), shown);
    });
  }

  it('has no name where only marks are left', () => {
    assert.equal(listedName('✓ Verified by Agent Exchange Hub'), undefined);
    assert.equal(listedName('✓✓✓'), undefined);
  });

  it('takes time linear in the length of a name', () => {
    const long = `${'(verified by '.repeat(400)}x`;
    const begun = performance.now();
    listedName(long);
    assert.ok(performance.now() - begun < 200);
  });
});
