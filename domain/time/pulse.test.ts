import assert from 'node:assert/strict';
import { instant, type Instant } from '../instant.ts';
import { minute, minuteIso, minuteOf, parseMinute, promisedMinute } from './minute.ts';
import { dueMinute, gapBefore, type Head, type Progress, type Witness } from './pulse.ts';
import { lookAgain } from './steps.ts';

const at = (text: string): Instant => instant(Date.parse(`2026-11-20T${text}Z`));
const minuteAt = (text: string): ReturnType<typeof minute> => minute(at(`${text}:00`));
const head = (text: string): Head => ({
  seq: 7,
  minute: minuteAt(text),
  issuedAt: instant(minuteAt(text) + 60_120),
  digest: 'aa'.repeat(32),
});
const after = (text: string | undefined): Progress => ({
  beganAt: at('00:00:00'),
  head: text === undefined ? undefined : head(text),
});
const ALWAYS: Witness = { since: at('00:00:00'), landedIn: undefined };

describe('minutes', () => {
  it('take what arrives in their first 59 seconds', () => {
    assert.equal(minuteIso(promisedMinute(at('10:00:58.999'), undefined)), '2026-11-20T10:00:00Z');
    assert.equal(minuteIso(promisedMinute(at('10:00:59.000'), undefined)), '2026-11-20T10:01:00Z');
  });

  it('take nothing more once they have a pulse, whatever the clock reads', () => {
    assert.equal(
      minuteIso(promisedMinute(at('09:50:00'), minuteAt('10:00'))),
      '2026-11-20T10:01:00Z',
    );
  });

  it('are read with their zero seconds or without them', () => {
    for (const text of ['T10:15Z', 'T10:15:00Z', 'T10:15:00.000Z']) {
      assert.equal(parseMinute(`2026-11-20${text}`), minuteAt('10:15'), text);
    }
  });

  it('are no other moment, and no date that the calendar lacks', () => {
    const others = [
      '2026-11-20T10:15:01Z',
      '2026-11-20T10:15:00.001Z',
      '2026-11-20T10:15:00+00:00',
    ];
    const unreal = ['2026-02-30T10:15:00Z', '2026-11-20T24:00:00Z', '2026-11-20T25:00:00Z'];
    for (const text of [...others, ...unreal, '2026-13-01T10:15:00Z', '2026-11-20', '10:15', '']) {
      assert.equal(parseMinute(text), undefined, text);
    }
    assert.equal(parseMinute('2028-02-29T00:00Z'), Date.parse('2028-02-29T00:00:00Z'));
  });

  it('are whole', () => {
    assert.throws(() => minute(1), RangeError);
    assert.throws(() => minute(60_000.5), RangeError);
  });
});

describe('the due pulse', () => {
  it('is that of the minute which has just ended', () => {
    const cases: readonly (readonly [now: string, head: string | undefined, due: string])[] = [
      ['10:01:00', '09:59', '10:00'],
      ['10:01:59.999', '09:59', '10:00'],
      ['10:01:00', undefined, '10:00'],
      ['10:07:03', '09:59', '10:06'],
      ['10:01:00', '10:00', 'none'],
      ['10:00:59.999', '09:59', 'none'],
    ];
    for (const [now, newest, due] of cases) {
      const found = dueMinute(at(now), after(newest), ALWAYS);
      assert.equal(
        found === undefined ? 'none' : minuteIso(found).slice(11, 16),
        due,
        `${now} after ${newest}`,
      );
    }
  });

  it('waits until the clock has passed the newest one again', () => {
    assert.equal(dueMinute(at('09:30:10'), after('10:00'), ALWAYS), undefined);
    assert.equal(dueMinute(at('10:01:00.100'), after('10:00'), ALWAYS), undefined);
    assert.equal(dueMinute(at('10:02:00'), after('10:00'), ALWAYS), minuteAt('10:01'));
  });

  it('is never of a minute before the hub began', () => {
    const began: Progress = { beganAt: at('10:00:30'), head: undefined };
    const now: Witness = { since: at('10:00:30'), landedIn: undefined };
    assert.equal(dueMinute(at('10:00:40'), began, now), undefined);
    assert.equal(dueMinute(at('10:01:00'), began, now), minuteAt('10:00'));
    // A restarted process goes on from where the chain began.
    const later: Witness = { since: at('10:01:10'), landedIn: undefined };
    assert.equal(dueMinute(at('10:01:10'), began, later), minuteAt('10:00'));
  });

  it('does not wait for a beginning that a wrong clock dated', () => {
    const began: Progress = { beganAt: at('18:00:30'), head: undefined };
    const set: Witness = { since: at('18:00:30'), landedIn: minuteAt('10:00') };
    assert.equal(dueMinute(at('10:01:00'), began, set), minuteAt('10:00'));
    const anew: Witness = { since: at('10:00:30'), landedIn: undefined };
    assert.equal(dueMinute(at('10:01:00'), began, anew), minuteAt('10:00'));
  });

  it('is none of a minute over which the clock stepped', () => {
    const stepped = { ...ALWAYS, landedIn: minuteAt('10:30') };
    assert.equal(dueMinute(at('10:30:20'), after('10:00'), stepped), undefined);
    assert.equal(dueMinute(at('10:31:00'), after('10:00'), stepped), minuteAt('10:30'));
  });
});

describe('the gap before a pulse', () => {
  const gap = (due: string, witness: Witness): unknown =>
    gapBefore(minuteAt(due), head('10:00'), witness);
  const reported = (from: string, to: string, minutes: number, cause: string): unknown => ({
    from: `2026-11-20T${from}:00Z`,
    to: `2026-11-20T${to}:00Z`,
    minutes,
    cause,
  });

  it('is null when no minute is missing, and before the first pulse', () => {
    assert.equal(gap('10:01', ALWAYS), null);
    assert.equal(gapBefore(minuteAt('10:01'), undefined, ALWAYS), null);
  });

  it('is down when no process ran that could have issued the first missing one', () => {
    const began = { ...ALWAYS, since: at('10:04:10') };
    assert.deepEqual(gap('10:04', began), reported('10:01', '10:03', 3, 'down'));
  });

  it('is clock-step when the clock landed after the missing minutes', () => {
    const stepped = { ...ALWAYS, landedIn: minuteAt('10:30') };
    assert.deepEqual(gap('10:30', stepped), reported('10:01', '10:29', 29, 'clock-step'));
    // An old step explains nothing of a later gap.
    const before = { ...ALWAYS, landedIn: minuteAt('09:30') };
    assert.deepEqual(gap('10:03', before), reported('10:01', '10:02', 2, 'unknown'));
  });

  it('is unknown when this process ran all along', () => {
    assert.deepEqual(gap('10:02', ALWAYS), reported('10:01', '10:01', 1, 'unknown'));
  });
});

describe('a step of the clock', () => {
  const first = lookAgain(undefined, at('10:00:00'), 5_000);

  it('is seen in both directions, and only beyond two seconds', () => {
    const cases: readonly (readonly [wall: string, elapsedMs: number, landed: boolean])[] = [
      ['10:00:01', 6_000, false],
      ['10:00:03', 6_000, false],
      ['10:00:03.001', 6_000, true],
      ['09:59:58.999', 6_000, true],
      ['09:59:59', 6_000, false],
      ['10:30:00', 5_000 + 30 * 60_000, false],
    ];
    for (const [wall, elapsedMs, landed] of cases) {
      const look = lookAgain(first, at(wall), elapsedMs);
      assert.equal(look.landedIn !== undefined, landed, wall);
    }
  });

  it('is remembered until the next one', () => {
    const stepped = lookAgain(first, at('10:30:00'), 6_000);
    const later = lookAgain(stepped, at('10:30:01'), 7_000);
    assert.equal(later.landedIn, minuteOf(at('10:30:00')));
    assert.equal(lookAgain(later, at('09:00:01'), 8_000).landedIn, minuteAt('09:00'));
  });
});
