import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { badgeOf } from './badge.ts';
import { listingCode, operatorCode } from './code.ts';
import { accessStaleAt, answers, isAccessStale } from './listing.ts';
import { qualityBps, shownViolations } from './quality.ts';
import { backOffAt, nextRegularCrawl, submissionWait } from './schedule.ts';
import { withSeedUrl, type SeedUrl } from './target.ts';

const NOON = instant(Date.parse('2026-11-28T12:00:00Z'));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a registry code', () => {
  it('is of the protocol and the origin, and of the path of a further endpoint', () => {
    assert.equal(listingCode('mcp', 'https://a.example'), '5425b841efdfbb78');
    assert.equal(listingCode('a2a', 'https://a.example'), 'd19bd997afb220a2');
    assert.equal(listingCode('mcp', 'https://a.example', '/b?c'), '2b2380233e055dd4');
  });

  it('is of the domain under the public suffix for an operator', () => {
    const same = [
      ['a.example.com', 'example.com'],
      ['a.b.example.com:8443', 'example.com'],
      ['a.example.co.uk', 'b.example.co.uk'],
      ['example.com.au', 'x.example.com.au'],
    ] as const;
    for (const [one, other] of same) assert.equal(operatorCode(one), operatorCode(other), one);
    const different = [
      ['a.example.com', 'a.example.org'],
      ['a.co.uk', 'b.co.uk'],
      ['a.vercel.app', 'b.vercel.app'],
      ['127.0.0.1:1', '127.0.0.1:2'],
      ['10.0.0.1', '9.9.0.1'],
      ['[::1]:1', '[::1]:2'],
    ] as const;
    for (const [one, other] of different) {
      assert.notEqual(operatorCode(one), operatorCode(other), one);
    }
    assert.equal(operatorCode('example.com'), 'ca03a8a9ce8a43dd');
  });
});

describe('the badge of a listing', () => {
  const shownOn = (listing: Parameters<typeof badgeOf>[0]): readonly string[] => {
    const drawn = badgeOf(listing);
    const [, text = ''] = /<title>agent exchange: (.*)<\/title>/.exec(drawn) ?? [];
    const [, colour = ''] = / fill="(#\w{6})"\/>\n<g/.exec(drawn) ?? [];
    return [text, colour];
  };
  const live = {
    availability: 'live',
    uptimeBps: 9_876,
    latencyMs: 120,
    firstSeenAt: instant(0),
    lastCheckedAt: instant(40 * 86_400_000),
  } as const;

  it('says how long it was watched before it states a share', () => {
    const after = (minutes: number): string =>
      shownOn({ ...live, lastCheckedAt: instant(minutes * 60_000) })[0] ?? '';
    assert.equal(after(12), 'live · seen for 12 min · 120 ms');
    assert.equal(after(47 * 60), 'live · seen for 47 h · 120 ms');
    assert.equal(after(48 * 60), 'live · 98.7 % of 2 d · 120 ms');
  });

  it('says in words and colour whether it answers', () => {
    assert.deepEqual(shownOn(undefined), ['not listed', '#57606a']);
    assert.deepEqual(shownOn(live), ['live · 98.7 % of 30 d · 120 ms', '#1a7f37']);
    for (const verification of ['dns', 'well-known'] as const) {
      const [text] = shownOn({ ...live, uptimeBps: 10_000, verification });
      assert.equal(text, 'live · 100.0 % of 30 d · 120 ms · verified');
    }
    for (const verification of ['endpoint', 'hosted'] as const) {
      const unstable = { ...live, availability: 'unstable', verification } as const;
      assert.deepEqual(shownOn(unstable), ['unstable · 98.7 % of 30 d · 120 ms', '#9a6700']);
    }
    const cases = [
      ['unreachable', 'unreachable', '#b42318'],
      ['not-speaking', 'not speaking', '#b42318'],
      ['unknown', 'not probed yet', '#57606a'],
    ] as const;
    for (const [availability, text, colour] of cases) {
      assert.deepEqual(shownOn({ ...live, availability }), [text, colour]);
    }
  });

  it('is as wide as its words', () => {
    assert.equal(
      badgeOf(undefined),
      `<svg xmlns="http://www.w3.org/2000/svg" width="182" height="20" role="img" aria-label="agent exchange: not listed">
<title>agent exchange: not listed</title>
<rect width="182" height="20" rx="3" fill="#24292f"/>
<path d="M104 0h75a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H104z" fill="#57606a"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="52" y="14" textLength="92">agent exchange</text>
<text x="143" y="14" textLength="66">not listed</text>
</g>
</svg>
`,
    );
  });
});

describe('the quality of a card', () => {
  const broken = (...rules: readonly string[]) =>
    rules.map((rule, nth) => ({ rule, path: `${nth}`, says: 'x' }));

  it('is the share of the rules that it keeps', () => {
    assert.equal(qualityBps('a2a', []), 10_000);
    assert.equal(qualityBps('a2a', broken('card-version', 'card-version')), 9_230);
    assert.equal(qualityBps('mcp', broken('tool-name', 'server-name')), 8_000);
    assert.equal(qualityBps('mcp', broken('card-version')), 10_000);
  });

  it('shows a few breaches of each rule before many of one', () => {
    const many = [...broken(...Array<string>(150).fill('a')), ...broken('b', 'b')];
    const shown = shownViolations(many);
    assert.equal(shown.length, 100);
    assert.deepEqual(
      shown.slice(0, 5).map(({ rule, path }) => rule + path),
      ['a0', 'b0', 'a1', 'b1', 'a2'],
    );
  });
});

describe('the measured access of a tool', () => {
  it('is stale after more than three days', () => {
    const skill = { accessCheckedAt: NOON };
    const days = 72 * HOUR;
    assert.deepEqual(
      [days, days + 1].map((ms) => isAccessStale(skill, instant(NOON + ms))),
      [false, true],
    );
    assert.equal(accessStaleAt(skill), NOON + days + 1);
    assert.deepEqual([accessStaleAt({}), isAccessStale({}, NOON)], [undefined, false]);
  });

  it('matters where a call has a chance', () => {
    const all = ['live', 'unstable', 'not-speaking', 'unreachable', 'unknown'] as const;
    assert.deepEqual(all.filter(answers), ['live', 'unstable']);
  });
});

describe('when the crawler looks', () => {
  it('is four times a day at what answers, and ever more rarely at the rest', () => {
    const after = (failures: number, chance: number): number =>
      (nextRegularCrawl(NOON, failures, chance) - NOON) / MINUTE;
    const hours = [6, 0.5, 2, 6, 24, 72, 168, 168];
    assert.deepEqual(
      hours.map((_, failures) => after(failures, 0.5) / 60),
      hours,
    );
    assert.deepEqual([after(0, 0), after(0, 1)], [288, 432]);
  });

  it('waits after a submission that follows others, until a day without one', () => {
    const day = 24 * HOUR;
    const at = (backOff: number, agoMs: number): number =>
      backOffAt({ backOff, submittedAt: instant(NOON - agoMs) }, NOON);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((step) => at(step, 0)),
      [0, 1, 2, 3, 3],
    );
    assert.deepEqual([at(2, day - 1), at(2, day)], [2, 0]);
    assert.equal(backOffAt({ backOff: 2 }, NOON), 0);
    assert.deepEqual([0, 1, 2, 3, 9].map(submissionWait), [0, 60, 600, 3_600, 3_600]);
  });
});

describe('the submitted addresses of an origin', () => {
  it('are the newest three hundred, once each, with the protocol that was ever named', () => {
    const first: SeedUrl = { url: 'a', kind: 'mcp' };
    const second: SeedUrl = { url: 'b' };
    assert.deepEqual(withSeedUrl([first], undefined), [first]);
    assert.deepEqual(withSeedUrl([first], second), [second, first]);
    assert.deepEqual(withSeedUrl([second, first], { url: 'a' }), [first, second]);
    assert.deepEqual(withSeedUrl([first], { url: 'a', kind: 'a2a' }), [{ url: 'a', kind: 'a2a' }]);
    const many = Array.from({ length: 300 }, (_, nth) => ({ url: `${nth}` }));
    const more = withSeedUrl(many, second);
    assert.deepEqual([more.length, more[0], more[299]], [300, second, { url: '298' }]);
  });
});
