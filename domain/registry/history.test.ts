import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import {
  counts,
  daysOf,
  measure,
  readProbes,
  tallyOf,
  tallyUntil,
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

describe('the note of a listing', () => {
  const note = (seen: string): string => measure(looks(seen), 'it was silent.').availabilityNote;

  it('says how many of the last eight looks it answered', () => {
    const cases = [
      ['', 'The last look was inconclusive: it was silent.'],
      ['lxx', 'The last look was inconclusive: it was silent.'],
      ['l', 'It answered 1 of its last 1 look.'],
      ['ull', 'It answered 2 of its last 3 looks.'],
      ['uulllllllll', 'It answered 8 of its last 8 looks.'],
      ['uull', 'It answers in some looks only: 2 of its last 4 looks.'],
      ['lllu', 'It answered 3 of its last 4 looks; the last one failed: it was silent.'],
      ['uuu', 'It answered 0 of its last 3 looks; the last one failed: it was silent.'],
    ] as const;
    for (const [seen, says] of cases) assert.equal(note(seen), says, seen);
  });

  it('has the middle of the times of its last eight answers', () => {
    const latency = (seen: string): number => measure(looks(seen), '').latencyMs;
    assert.deepEqual(['', 'u', 'l', 'lul', 'llll'].map(latency), [0, 0, 100, 102, 102]);
    assert.equal(latency('llllllllllll'), 108);
  });
});

describe('a look', () => {
  const at = (ms: number): PastProbe => ({
    at: instant(START + ms),
    verdict: 'live',
    latencyMs: 5,
  });

  it('counts once in twenty minutes', () => {
    const [first, minutes] = [at(0), 20 * 60_000];
    assert.equal(counts([], first), true);
    assert.deepEqual(
      [minutes - 1, minutes].map((ms) => counts([first], at(ms))),
      [false, true],
    );
    assert.deepEqual(withProbe([first], at(minutes - 1)), [first]);
    assert.deepEqual(withProbe([first], at(minutes)), [first, at(minutes)]);
  });

  it('is one of at most 160 that are stored, and of none that is 30 days old', () => {
    const many = Array.from({ length: 170 }, (_, nth) => at(nth * HOUR));
    const kept = withProbe(many, at(170 * HOUR));
    assert.deepEqual([kept.length, kept[0], kept[159]], [160, at(11 * HOUR), at(170 * HOUR)]);
    const month = 30 * 24 * HOUR;
    assert.equal(withProbe([at(0)], at(month)).length, 1);
    assert.equal(withProbe([at(0)], at(month - 1)).length, 2);
    assert.equal(tallyOf([at(0)], instant(START + month)).live, 0);
    assert.equal(tallyOf([at(0)], instant(START + month - 1)).live, 1);
  });

  it('leaves the tally thirty days later', () => {
    const month = 30 * 24 * HOUR;
    const seen = [at(0), at(HOUR)];
    assert.equal(tallyUntil(seen, instant(START + HOUR)), START + month);
    assert.equal(tallyUntil(seen, instant(START + month)), START + HOUR + month);
    assert.equal(tallyUntil(seen, instant(START + HOUR + month)), undefined);
  });

  it('is written in a few letters', () => {
    const seen = looks('lnux').map((look, nth) => ({
      ...look,
      at: instant(nth),
      latencyMs: nth * 20,
    }));
    assert.equal(writeProbes(seen), '0l0,1nk,2u14,3x1o');
    assert.equal(writeProbes([{ ...at(0), at: instant(40), latencyMs: 1.6 }]), '14l2');
    for (const bad of ['0y0', '0l', 'l0', '0l0 ', '00000000000l0', '0l000000000', 'x0l0!']) {
      assert.deepEqual(readProbes(bad), [], bad);
    }
    assert.equal(readProbes('0000000001l00000001')[0]?.latencyMs, 1);
  });
});

describe('the days of a listing', () => {
  it('are those in UTC with a look, the newest first', () => {
    const day = Date.parse('2026-11-21T00:00:00Z');
    const look = (ms: number, verdict: ProbeVerdict, latencyMs = 0): PastProbe => ({
      at: instant(day + ms),
      verdict,
      latencyMs,
    });
    const seen = [
      look(-2, 'live', 30),
      look(-1, 'live', 10),
      look(0, 'live', 9),
      look(1, 'unreachable', 1),
      look(2, 'live', 3),
      look(3, 'live', 5),
      look(4, 'unknown', 1),
      look(48 * HOUR, 'unknown'),
    ];
    assert.deepEqual(daysOf(seen), [
      { day: '2026-11-23', looks: 0, answered: 0 },
      { day: '2026-11-21', looks: 4, answered: 3, latencyMs: 5 },
      { day: '2026-11-20', looks: 2, answered: 2, latencyMs: 10 },
    ]);
    assert.deepEqual(daysOf([]), []);
  });
});
