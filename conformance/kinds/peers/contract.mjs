// Contract layer: the same POST, 32 connections, no signature.
import autocannon from 'autocannon';
import { costed, interleave, line, median, ratio, serve } from '../bench/harness.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SERVERS = { hub: 4401, koaAjv: 4402, fastify: 4403, openapiBackend: 4404 };
const path = '/api/v1/wallet/key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt/credit';
const body = JSON.stringify({
  amount: '1000000',
  idempotencyKey: 'bench-0001',
  note: 'for the bench',
});

export async function contractLayer() {
  const children = await Promise.all(
    Object.entries(SERVERS).map(([name, port]) => serve(`../peers/servers/${name}.mjs`, port)),
  );
  try {
    const costs = {};
    const loads = Object.fromEntries(
      Object.entries(SERVERS).map(([name, port], nth) => [
        name,
        () => costed(children[nth], costs, name, () => load(port)),
      ]),
    );
    const rps = await interleave(loads, ROUNDS);
    line(
      `contract layer, requests/s at 32 connections (median of ${ROUNDS} interleaved rounds of ${SECONDS} s)`,
    );
    for (const [name, figure] of Object.entries(rps)) {
      line(`  ${name}: ${Math.round(figure)}, ${Math.round(median(costs[name]))} us of CPU each`);
    }
    ratio('hub / hand-written Koa + Ajv', rps.hub / rps.koaAjv, 1.2);
    ratio('hub / Fastify with its schemas', rps.hub / rps.fastify, 0.7);
    ratio('hub / openapi-backend', rps.hub / rps.openapiBackend, 2.5);
  } finally {
    for (const child of children) child.kill();
  }
}

async function load(port) {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    connections: 32,
    duration: SECONDS,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`port ${port}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { perSecond: result.requests.average, count: result.requests.total };
}
