// Signed wallet.pay, 16 keys, durable and idempotent, against a route that only verifies.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import { signatureBase, signatureParams } from '../../../dist/domain/httpsig/base.js';
import { hubKey, newSeed } from '../../../dist/workflows/kernel/keys/ed25519.js';
import { costed, interleave, line, median, ratio, serve } from '../bench/harness.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const KEYS = 16;
const COVERED = ['@method', '@authority', '@path', 'content-digest'];

export async function signedPay() {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const keys = Array.from({ length: KEYS }, () => hubKey(newSeed()));
  const [hub, verifyOnly] = [4411, 4412];
  const children = [
    await serve('../peers/servers/wholeHub.mjs', hub, [join(folder, 'hub.sqlite')]),
    await serve('../peers/servers/verifyOnly.mjs', verifyOnly),
  ];
  try {
    for (const key of keys) await fund(hub, key);
    const costs = {};
    const loadOf = (name, nth, port) => () =>
      costed(children[nth], costs, name, () => load(port, keys));
    const rps = await interleave(
      { pay: loadOf('pay', 0, hub), verifyOnly: loadOf('verifyOnly', 1, verifyOnly) },
      ROUNDS,
    );
    const cost = (name) => Math.round(median(costs[name]));
    line(
      `signed wallet.pay, ${KEYS} keys, requests/s (median of ${ROUNDS} interleaved rounds of ${SECONDS} s)`,
    );
    line(`  hub, durable and idempotent: ${Math.round(rps.pay)}, ${cost('pay')} us of CPU each`);
    line(
      `  Koa route that only verifies: ${Math.round(rps.verifyOnly)}, ${cost('verifyOnly')} us of CPU each`,
    );
    ratio('pay / verify only', rps.pay / rps.verifyOnly, 0.65);
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fund(port, { keyId }) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/wallet/key:${keyId}/credit`, {
    method: 'POST',
    body: JSON.stringify({ amount: '1000000000', idempotencyKey: `bench-${keyId}` }),
  });
  if (!response.ok) throw new Error(await response.text());
}

let turn = 0;
async function load(port, keys) {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: KEYS,
    duration: SECONDS,
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => {
          turn += 1;
          const key = keys[turn % KEYS];
          return { ...request, ...signed(port, key, keys[(turn + 1) % KEYS].keyId) };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`port ${port}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { perSecond: result.requests.average, count: result.requests.total };
}

function signed(port, { keyId, sign }, to) {
  const path = `/api/v1/wallet/${keyId}/pay`;
  const body = JSON.stringify({
    to: `key:${to}`,
    amount: '1',
    idempotencyKey: randomBytes(12).toString('hex'),
  });
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const message = {
    method: 'POST',
    authority: `127.0.0.1:${port}`,
    scheme: 'http',
    path,
    target: path,
    query: undefined,
    hasBody: true,
    field: (name) => (name === 'content-digest' ? digest : undefined),
  };
  const params = signatureParams(COVERED, {
    createdSeconds: Math.floor(Date.now() / 1000),
    keyId,
    nonce: randomBytes(12).toString('hex'),
  });
  const base = signatureBase(message, COVERED, params);
  const signature = Buffer.from(sign(Buffer.from(base.text))).toString('base64');
  return {
    path,
    body,
    headers: {
      'content-type': 'application/json',
      'content-digest': digest,
      'signature-input': `sig1=${params}`,
      signature: `sig1=:${signature}:`,
    },
  };
}
