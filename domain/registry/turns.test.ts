import assert from 'node:assert/strict';
import { instant, plus, seconds, type Instant } from '../instant.ts';
import { nextRegularCrawl } from './schedule.ts';
import {
  addressesOf,
  dueTurns,
  nextLook,
  requestsOf,
  serversALook,
  turnAt,
  turnsOf,
  type AskedAddress,
} from './turns.ts';

const NOW = instant(Date.parse('2026-11-28T10:00:00Z'));
const HOUR = 3_600_000;
const at = (hours: number): Instant => instant(NOW + hours * HOUR);
const asked = (url: string, dueAt: Instant): Pick<AskedAddress, 'url' | 'askedAt' | 'dueAt'> => ({
  url,
  askedAt: at(-1),
  dueAt,
});

describe('turns of the addresses of an origin', () => {
  it('asks what was submitted since it was asked first, then listed and named ones by turns', () => {
    const turns = turnsOf({
      named: [
        { url: 'https://o.example/fresh', submittedAt: at(0) },
        { url: 'https://o.example/again', submittedAt: at(0) },
        { url: 'https://o.example/done', submittedAt: at(-2) },
        { url: 'https://o.example/feed' },
      ],
      listed: [
        { id: 'b', url: 'https://o.example/b', askedAt: at(-1) },
        { id: 'a', url: 'https://o.example/a', askedAt: at(-7) },
      ],
      asked: [
        asked('https://o.example/again', at(5)),
        asked('https://o.example/done', at(-0.5)),
        asked('https://o.example/b', at(5)),
        asked('https://o.example/a', at(-1)),
      ],
    });
    const paths = turns.map(({ url }) => new URL(url).pathname);
    assert.deepEqual(paths, ['/fresh', '/again', '/a', '/feed', '/b', '/done']);
    const due = dueTurns(turns, NOW).map(({ url }) => new URL(url).pathname);
    assert.deepEqual(due, ['/fresh', '/again', '/a', '/feed', '/done']);
  });

  it('looks again soon while an address waits, and never before the pause is over', () => {
    const regular = at(6);
    assert.equal(nextLook(NOW, regular, []), regular);
    assert.equal(nextLook(NOW, regular, [{ dueAt: instant(0) }]), plus(NOW, seconds(600)));
    assert.equal(nextLook(NOW, regular, [{ dueAt: at(2) }, { dueAt: at(9) }]), at(2));
    assert.equal(turnAt(NOW, 6, 7), NOW);
    assert.equal(turnAt(NOW, 15, 7), plus(NOW, seconds(1_200)));
  });

  it('gives an origin more requests and addresses for answers, within bounds', () => {
    assert.deepEqual([requestsOf(0), requestsOf(4), requestsOf(10_000)], [50, 70, 120]);
    assert.deepEqual([addressesOf(0), addressesOf(40), addressesOf(10_000)], [50, 130, 300]);
  });

  it('asks each of 20,000 addresses of 200 origins within a day', () => {
    const plan = planOf(200, 100);
    console.log(
      `      20,000 addresses of 200 origins: ${plan.looks} looks, ${plan.requests} requests, ` +
        `the last address after ${plan.hours.toFixed(1)} h, at most ${plan.anHour} looks an hour`,
    );
    assert.equal(plan.asked, 20_000);
    assert.ok(plan.hours <= 24, `${plan.hours} h`);
    assert.ok(plan.waitedHours <= 24, 'no address that waits for its first turn starves');
  });
});

/** Looks that can be under way at once, and what one lasts: a second for each request. */
const LOOKS_AT_ONCE = 24;

function planOf(origins: number, each: number) {
  const free = Array.from({ length: LOOKS_AT_ONCE }, () => NOW as number);
  const states = Array.from({ length: origins }, (_, nth) => ({
    asked: new Map<string, Pick<AskedAddress, 'url' | 'askedAt' | 'dueAt'>>(),
    urls: Array.from({ length: each }, (__, place) => `https://o${nth}.example/${place}`),
    next: NOW as Instant,
  }));
  const sum = { looks: 0, requests: 0, asked: 0, hours: 0, waitedHours: 0, anHour: 0 };
  const hours = new Map<number, number>();
  while (sum.asked < origins * each && sum.looks < 100_000) {
    const state = states.reduce((least, one) => (one.next < least.next ? one : least));
    const worker = free.indexOf(Math.min(...free));
    const begins = instant(Math.max(free[worker] ?? 0, state.next));
    const named = state.urls.slice(0, addressesOf(state.asked.size)).map((url) => ({ url }));
    const known = [...state.asked.values()];
    const turns = turnsOf({ named, listed: [], asked: known });
    const requests = requestsOf(known.length);
    const now = dueTurns(turns, begins).slice(0, serversALook(requests));
    for (const { url } of now) {
      if (!state.asked.has(url)) {
        sum.asked += 1;
        sum.waitedHours = Math.max(sum.waitedHours, (begins - NOW) / HOUR);
      }
      const dueAt = nextRegularCrawl(begins, 0, 0.5);
      state.asked.set(url, { url, askedAt: begins, dueAt });
    }
    const used = 3 + now.length * 7;
    const ends = instant(begins + used * 1_000);
    const left = turnsOf({ named, listed: [], asked: [...state.asked.values()] });
    state.next = nextLook(ends, nextRegularCrawl(ends, 0, 0.5), left);
    free[worker] = ends;
    sum.looks += 1;
    sum.requests += used;
    sum.hours = Math.max(sum.hours, (ends - NOW) / HOUR);
    const hour = Math.floor((begins - NOW) / HOUR);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
  }
  return { ...sum, anHour: Math.max(...hours.values()) };
}
