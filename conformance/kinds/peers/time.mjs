// Stamps over HTTP, the pulse of a full minute, and how proofs grow with the leaves of their minute.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { addLeaves } from '../../../dist/db/time/minutes.js';
import { minute, minutesAfter } from '../../../dist/domain/time/minute.js';
import { readSettings } from '../../../dist/server/boot/config.js';
import { openHub } from '../../../dist/server/boot/open.js';
import { interleave, line, median, ratio, serve } from '../bench/harness.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = 64;
const STAMPS_PORT = 4431;
const PROOFS_PORT = 4432;
const LEAVES = [1, 10_000, 100_000];
const LEAVES_AT_ONCE = 5_000;
const PROOFS = 200;
const FIRST = minute(Date.parse('2026-11-20T10:00:00Z'));

export async function timeApp() {
  await stamps();
  await proofs();
}

/** The same digest again costs no leaf; the distance between the two is the price of one. */
async function stamps() {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const child = await serve('../peers/servers/wholeHub.mjs', STAMPS_PORT, [
    join(folder, 'hub.sqlite'),
  ]);
  try {
    const same = newDigest();
    const perSecond = await interleave(
      { fresh: () => load(newDigest), known: () => load(() => same) },
      ROUNDS,
    );
    line(
      `stamps/s over HTTP, ${CONNECTIONS} connections (median of ${ROUNDS} interleaved rounds of ${SECONDS} s)`,
    );
    line(`  a new digest each, durable before its promise: ${Math.round(perSecond.fresh)}`);
    line(`  the same digest again: ${Math.round(perSecond.known)}`);
    ratio('new / known', perSecond.fresh / perSecond.known, 0.5);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function load(digest) {
  const result = await autocannon({
    url: `http://127.0.0.1:${STAMPS_PORT}/api/v1/time/stamp`,
    method: 'POST',
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: JSON.stringify({ digest: digest() }) }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}

async function proofs() {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const clock = manualClock();
  const { hub, driver, url, close } = await openHub({
    settings: readSettings({
      HUB_PORT: String(PROOFS_PORT),
      HUB_DATABASE_URL: `sqlite:${join(folder, 'hub.sqlite')}`,
      HUB_DATA_DIR: folder,
      HUB_LOG: 'fatal',
      HUB_RATE_LIMITS: 'false',
    }),
    clock,
    runJobs: false,
  });
  try {
    line(`pulses and proofs on SQLite (${PROOFS} proofs each, one after the other)`);
    const p50 = {};
    for (const [passed, leaves] of LEAVES.entries()) {
      const digests = await fill(hub, minutesAfter(FIRST, passed), leaves);
      clock.pass();
      const issuing = await issue(driver);
      const times = await prove(url, digests);
      p50[leaves] = median(times);
      line(
        `  ${leaves} leaves: pulse in ${issuing.ms.toFixed(0)} ms, others waited ${issuing.heldMs.toFixed(0)} ms at most; ` +
          `proof p50 ${p50[leaves].toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms`,
      );
    }
    const [few, many] = [LEAVES.at(0), LEAVES.at(-1)];
    ratio(`proof at ${many} leaves / at ${few}`, p50[many] / p50[few], 3, 'less');
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function manualClock() {
  let now = FIRST;
  return {
    now: () => now,
    elapsedMs: () => now,
    pass() {
      now += 60_000;
    },
  };
}

async function fill(hub, into, leaves) {
  const { keyId } = hub.keys.current();
  const digests = Array.from({ length: leaves }, newDigest);
  for (let from = 0; from < leaves; from += LEAVES_AT_ONCE) {
    const arrival = { minute: into, receivedAt: hub.clock.now(), keyId };
    const some = digests.slice(from, from + LEAVES_AT_ONCE);
    await hub.store.write((tx) => addLeaves(tx, some, arrival));
  }
  return digests;
}

/** How long the pulse took, and the longest that nothing else had its turn meanwhile. */
async function issue(driver) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  await driver.runOnce('pulse');
  const ms = performance.now() - began;
  delay.disable();
  return { ms, heldMs: delay.max / 1e6 };
}

async function prove(url, digests) {
  const times = [];
  for (let nth = 0; nth < PROOFS; nth += 1) {
    const digest = digests[Math.floor((nth * digests.length) / PROOFS)];
    const began = performance.now();
    const answer = await fetch(`${url}/api/v1/time/stamps/${digest}`);
    const proof = await answer.json();
    times.push(performance.now() - began);
    if (answer.status !== 200 || proof.leaves !== digests.length)
      throw new Error(`${answer.status} ${JSON.stringify(proof)}`);
  }
  return times;
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function newDigest() {
  return randomBytes(32).toString('hex');
}
