import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Outcome } from '../../workflows/kernel/outbound/outcome.ts';
import { CONCURRENCY_LIMITS } from '../../workflows/kernel/outbound/limits.ts';
import { IDLE_MAX } from '../../workflows/kernel/outbound/pools.ts';
import { authority } from './_certificates.ts';
import {
  closeWorld,
  ending,
  guard,
  names,
  PUBLIC_ADDRESS,
  rawSite,
  secureSite,
  webSite,
  type Place,
} from './_fixture.ts';
import { until } from '../harness/waiting.ts';

const CALLS = 1_000;
const HOSTS = 50;
const SUITE_MS_MAX = 60_000;

/**
 * Returns what this process holds open that a call may have left behind, seen from within a timer.
 */
async function handles(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  const kinds = process.getActiveResourcesInfo();
  return kinds.filter((kind) => /TCP|TLS|GetAddrInfo|Timeout|ZLIB/i.test(kind)).length;
}

async function untilHandles(most: number): Promise<void> {
  while ((await handles()) > most);
}

function counted(outcomes: readonly Outcome<Uint8Array>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[ending(outcome)] = (counts[ending(outcome)] ?? 0) + 1;
  return counts;
}

describe('outside: many calls at once', function suite() {
  this.timeout(SUITE_MS_MAX);
  afterEach(closeWorld);
  // Longer than the suite may take, so that a timer which is left behind is seen.
  const limits = { totalMs: 120_000, connectMs: 10_000, firstByteMs: 120_000 };

  /**
   * A site of many names that holds each request for a moment, the first ones until so many of one
   * host met, and counts who is inside.
   */
  const busySite = async (
    meeting = 1,
  ): Promise<{ site: Place; all: () => number; ofOne: () => number }> => {
    const inside = new Map<string, number>();
    let [now, all, ofOne] = [0, 0, 0];
    const site = await webSite((request, response) => {
      const host = request.headers.host ?? '';
      const here = (inside.get(host) ?? 0) + 1;
      inside.set(host, here);
      now += 1;
      [all, ofOne] = [Math.max(all, now), Math.max(ofOne, here)];
      const leave = (): void => {
        inside.set(host, (inside.get(host) ?? 0) - 1);
        now -= 1;
        response.end('x'.repeat(1000));
      };
      void until(() => ofOne >= meeting).then(() => setTimeout(leave, 3));
    });
    return { site, all: () => all, ofOne: () => ofOne };
  };
  const calling = (site: Place) =>
    guard({
      resolver: names({ '*': [PUBLIC_ADDRESS] }),
      endpoint: () => ({ host: '127.0.0.1', port: site.port }),
    });

  it('a thousand are all answered, never more at once than the limits, and nothing is left', async () => {
    const before = await handles();
    const { site, all, ofOne } = await busySite();
    const outbound = calling(site);
    const calls = Array.from({ length: CALLS }, (_, n) =>
      outbound.fetch({ url: `http://h${n % HOSTS}.example.com/`, plainHttp: true, limits }),
    );
    const outcomes = await Promise.all(calls);
    assert.deepEqual(counted(outcomes), { 200: CALLS });
    assert.ok(all() <= CONCURRENCY_LIMITS.underWayMax && all() > 1, `${all()} at once`);
    assert.ok(ofOne() <= CONCURRENCY_LIMITS.perHostMax, `${ofOne()} of one host at once`);
    const { idle, ...underWay } = outbound.report();
    assert.deepEqual(underWay, { calls: 0, attempts: 0 });
    assert.ok(idle <= IDLE_MAX, `${idle} connections wait for more`);
    outbound.close();
    await until(() => site.open() === 0);
    await closeWorld();
    await untilHandles(before);
  });

  it('have as many turns as the limits allow, and the others wait', async () => {
    const silent = await rawSite(() => undefined);
    const outbound = calling(silent);
    const ask = (host: string): Promise<Outcome<Uint8Array>> =>
      outbound.fetch({ url: `http://${host}.example.com/`, plainHttp: true, limits });
    const one = Array.from({ length: 20 }, () => ask('one'));
    assert.equal(outbound.report().attempts, CONCURRENCY_LIMITS.perHostMax);
    const many = Array.from({ length: 400 }, (_, n) => ask(`h${n}`));
    assert.deepEqual(outbound.report(), {
      calls: 420,
      attempts: CONCURRENCY_LIMITS.underWayMax,
      idle: 0,
    });
    outbound.close();
    assert.deepEqual(counted(await Promise.all([...one, ...many])), { cancelled: 420 });
    assert.equal(outbound.report().attempts, 0);
  });

  it('a thousand to one host fill its queue and leave room for the others', async () => {
    const { site, ofOne } = await busySite(CONCURRENCY_LIMITS.perHostMax);
    const outbound = calling(site);
    const one = Array.from({ length: CALLS }, () =>
      outbound.fetch({ url: 'http://slow.example.com/', plainHttp: true, limits }),
    );
    const other = outbound.fetch({ url: 'http://other.example.com/', plainHttp: true, limits });
    assert.equal(ending(await other), 200);
    const { perHostMax, waitingPerHostMax } = CONCURRENCY_LIMITS;
    const answered = perHostMax + waitingPerHostMax;
    assert.deepEqual(counted(await Promise.all(one)), { 200: answered, busy: CALLS - answered });
    assert.equal(ofOne(), perHostMax);
  });

  it('a call that ends while it waits leaves its place to the next', async () => {
    const { site } = await busySite();
    const concurrency = { underWayMax: 1, perHostMax: 1, waitingMax: 2, waitingPerHostMax: 2 };
    const silent = await rawSite(() => undefined);
    const outbound = guard({ opened: [site, silent], concurrency });
    const holding = new AbortController();
    const leaving = new AbortController();
    const first = outbound.fetch({ url: silent.url, signal: holding.signal });
    const second = outbound.fetch({ url: site.url, signal: leaving.signal });
    const third = outbound.fetch({ url: site.url });
    assert.equal(ending(await outbound.fetch({ url: site.url })), 'busy');
    leaving.abort();
    assert.equal(ending(await second), 'cancelled');
    const late = outbound.fetch({ url: site.url, limits: { totalMs: 30 } });
    assert.equal(ending(await late), 'timeout', 'waiting counts as time');
    holding.abort();
    assert.equal(ending(await first), 'cancelled');
    assert.equal(ending(await third), 200);
    assert.equal(outbound.report().attempts, 0);
  });

  it('leave no connection, timer or turn behind after every kind of failure', async () => {
    const before = await handles();
    const gone = await rawSite(() => undefined);
    await closeWorld();
    const sites = await Promise.all([
      rawSite(() => undefined),
      rawSite((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nx')),
      rawSite((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n\x1f')),
      rawSite((socket) => socket.write('HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n')),
      rawSite((socket) => socket.write('nonsense\r\n\r\n')),
      rawSite((socket) => socket.destroy()),
      webSite((_, response) => response.end(Buffer.alloc(3_000_000))),
    ]);
    const outbound = guard({ opened: [...sites, gone] });
    const calls = [...sites, gone].flatMap(({ url }) =>
      Array.from({ length: 20 }, () =>
        outbound.fetch({ url, limits: { totalMs: 300, firstByteMs: 50 }, method: 'POST' }),
      ),
    );
    const counts = counted(await Promise.all(calls));
    assert.equal(counts['200'], undefined, JSON.stringify(counts));
    assert.deepEqual(outbound.report(), { calls: 0, attempts: 0, idle: 0 });
    for (const site of sites) await until(() => site.open() === 0);
    await closeWorld();
    await untilHandles(before);
  });
});

describe('outside: kept connections', () => {
  afterEach(closeWorld);
  const ca = authority('Test Authority');
  const NAMES = ['a.example.com', 'b.example.com'];
  const url = `https://${NAMES[0]}/`;

  const keeping = async (answer: (response: ServerResponse, nth: number) => void) => {
    let requests = 0;
    const site = await secureSite(ca.issue(NAMES), (_, response) => {
      requests += 1;
      answer(response, requests);
    });
    const outbound = guard({
      resolver: names({ '*': [PUBLIC_ADDRESS] }),
      endpoint: () => ({ host: '127.0.0.1', port: site.port }),
      ca: ca.cert,
    });
    return { site, outbound, requests: () => requests };
  };

  it('serve the same name again, and no other', async () => {
    const { site, outbound } = await keeping((response) => response.end('x'));
    const first = await outbound.fetch({ url });
    const second = await outbound.fetch({ url, method: 'POST', body: Buffer.from('x') });
    assert.ok(first.kind === 'answer' && second.kind === 'answer');
    assert.ok(first.timings.connectMs > 0);
    assert.equal(second.timings.connectMs, 0);
    assert.equal(site.connections(), 1);
    const other = await outbound.fetch({ url: `https://${NAMES[1]}/` });
    assert.equal(ending(other), 200, JSON.stringify(other));
    assert.equal(site.connections(), 2);
  });

  it('serve the same name again without TLS as well, and no neighbour at its address', async () => {
    const hosts: unknown[] = [];
    const site = await webSite(({ headers }, response) => {
      hosts.push(headers.host);
      response.end('x');
    });
    const outbound = guard({
      resolver: names({ '*': [PUBLIC_ADDRESS] }),
      endpoint: () => ({ host: '127.0.0.1', port: site.port }),
    });
    const visit = (name: string | undefined) =>
      outbound.fetch({ url: `http://${name}/`, plainHttp: true });
    const both = [await visit(NAMES[0]), await visit(NAMES[0])];
    assert.deepEqual(counted(both), { 200: 2 });
    assert.equal(site.connections(), 1);
    assert.equal(ending(await visit(NAMES[1])), 200);
    assert.equal(site.connections(), 2);
    assert.deepEqual(hosts, [NAMES[0], NAMES[0], NAMES[1]]);
  });

  it('are at most two for a name', async () => {
    const { site, outbound } = await keeping((response) => setTimeout(() => response.end('x'), 20));
    await Promise.all(Array.from({ length: 6 }, () => outbound.fetch({ url })));
    await until(() => site.open() === 2);
    assert.equal(outbound.report().idle, 2);
    outbound.close();
    await until(() => site.open() === 0);
  });

  it('are bounded over all names', async () => {
    const site = await secureSite(ca.issue(['*.example.com']), (_, response) => response.end());
    const outbound = guard({
      resolver: names({ '*': [PUBLIC_ADDRESS] }),
      endpoint: () => ({ host: '127.0.0.1', port: site.port }),
      ca: ca.cert,
    });
    const visits = Array.from({ length: IDLE_MAX + 10 }, (_, n) =>
      outbound.fetch({ url: `https://h${n}.example.com/` }),
    );
    assert.deepEqual(counted(await Promise.all(visits)), { 200: IDLE_MAX + 10 });
    assert.ok(outbound.report().idle <= IDLE_MAX && outbound.report().idle > 1);
  });

  it('are not kept when an answer was cut off, or its body was not taken in', async () => {
    const { site, outbound } = await keeping((response) => response.end(Buffer.alloc(200_000)));
    assert.equal(ending(await outbound.fetch({ url, limits: { bytesMax: 1000 } })), 'too-large');
    const streamed = await outbound.stream({ url });
    assert.ok(streamed.kind === 'answer');
    streamed.body.cancel();
    await until(() => site.open() === 0);
    assert.equal(outbound.report().idle, 0);
  });

  it('cost a safe request nothing when they died unseen, and no other is sent twice', async () => {
    const dies = (response: ServerResponse, nth: number): void => {
      if (nth === 2 || nth === 4) response.destroy();
      else response.end('x');
    };
    const { outbound, requests } = await keeping(dies);
    assert.equal(ending(await outbound.fetch({ url })), 200);
    assert.equal(ending(await outbound.fetch({ url })), 200);
    assert.equal(requests(), 3, 'the second request went twice');
    await outbound.fetch({ url: `https://${NAMES[1]}/` });
    const posted = await outbound.fetch({ url, method: 'POST', body: Buffer.from('x') });
    assert.equal(ending(posted), 200);
    const again = await keeping((response, nth) =>
      nth === 2 ? response.destroy() : response.end(),
    );
    assert.equal(ending(await again.outbound.fetch({ url })), 200);
    assert.equal(ending(await again.outbound.fetch({ url, method: 'POST' })), 'connect');
    assert.equal(again.requests(), 2);
  });
});
