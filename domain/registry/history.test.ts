import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import {
  measure,
  readProbes,
  tallyOf,
  withProbe,
  writeProbes,
  type PastProbe,
  type ProbeVerdict,
} from './history.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-20T10:00:00Z');
const VERDICTS: Readonly<Record<string, ProbeVerdict>> = {
  l: 'live',
  n: 'not-speaking',
  u: 'unreachable',
  x: 'unknown',
};
const looks = (text: string): readonly PastProbe[] =>
  [...text].map((letter, nth) => ({
    at: instant(START + nth * HOUR),
    verdict: VERDICTS[letter] ?? 'unknown',
    latencyMs: 100 + nth,
  }));

describe('looks of a listing', () => {
  for (const [seen, availability, uptimeBps] of [
    ['', 'unknown', 0],
    ['l', 'live', 10_000],
    ['n', 'not-speaking', 0],
    ['u', 'unreachable', 0],
    ['x', 'unknown', 0],
    ['lllllllu', 'unstable', 8_750],
    ['llllllluuu', 'unreachable', 7_000],
    ['lllluuun', 'not-speaking', 5_000],
    ['ull', 'live', 6_666],
    ['uull', 'unstable', 5_000],
    ['uullllllll', 'live', 8_000],
    ['lx', 'live', 10_000],
    ['lux', 'unstable', 5_000],
    ['lxx', 'unknown', 10_000],
    ['lxl', 'live', 10_000],
  ] as const) {
    it(`${seen || 'none'} is ${availability} with ${uptimeBps / 100} %`, () => {
      const measured = measure(looks(seen), 'it was silent.');
      assert.equal(measured.availability, availability);
      assert.equal(measured.uptimeBps, uptimeBps);
      assert.match(measured.availabilityNote, /\.$/);
    });
  }

  it('are counted by verdict, not as one number', () => {
    const seen = looks('llnux');
    const tally = { live: 2, 'not-speaking': 1, unreachable: 1, unknown: 1 };
    assert.deepEqual(tallyOf(seen, instant(START + 5 * HOUR)), tally);
    const later = instant(START + 30 * 24 * HOUR + HOUR);
    assert.deepEqual(tallyOf(seen, later), { ...tally, live: 0 });
  });

  it('are kept for 30 days, and read as they were written', () => {
    const old = looks('lnux');
    assert.deepEqual(readProbes(writeProbes(old)), old);
    const at = instant(START + 30 * 24 * HOUR + HOUR);
    const later = withProbe(old, { at, verdict: 'live', latencyMs: 5 });
    assert.deepEqual(
      later.map(({ verdict }) => verdict),
      ['unreachable', 'unknown', 'live'],
    );
    assert.deepEqual(readProbes('garbage,,1l,zzzzzzzzzzzzzzzzl1'), []);
    const many = Array.from({ length: 500 }).reduce<readonly PastProbe[]>(
      (all, _, nth) => withProbe(all, { at: instant(START + nth), verdict: 'live', latencyMs: 9 }),
      [],
    );
    assert.ok(writeProbes(many).length < 2_500);
  });
});
