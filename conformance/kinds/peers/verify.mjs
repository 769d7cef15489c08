// Pulses and stamp proofs verified a second by the published client, against drand-client on
// recorded beacons: both check one signed step of a public chain, from JSON that was read already.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { nodeCrypto } from '../../../dist/clients/typescript/verify/nodeCrypto.js';
import {
  createVerifier,
  verify as portable,
} from '../../../dist/clients/typescript/verify/verifier.js';
import { interleave, line, ratio } from '../bench/harness.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const AIM = 10;

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

export async function verifiers() {
  const peers = createRequire(new URL('./package.json', import.meta.url));
  const { fetchBeacon } = peers('drand-client');
  const { keys, pulses, proofs } = read('../../../spec/vectors/time.json');
  const { schemes } = read('./fixtures/drand.json');
  const verify = createVerifier(nodeCrypto);
  const good = async (verdict) => {
    const found = await verdict;
    if (!found.ok) throw new Error(found.says);
  };
  const loads = {
    pulse: () => rate((n) => good(verify.pulse(pulses[n % pulses.length].object, keys))),
    proof: () => rate((n) => good(verify.proof(proofs[n % proofs.length].object, keys))),
    portable: () => rate((n) => good(portable.pulse(pulses[n % pulses.length].object, keys))),
    ...Object.fromEntries(
      schemes.map(({ chain, beacon }) => [
        chain.schemeID,
        // It throws when the beacon does not verify.
        () => rate(() => fetchBeacon(recorded(chain, beacon), beacon.round)),
      ]),
    ),
  };
  const rates = await interleave(loads, ROUNDS);
  line(
    `verified/s, one after another (median of ${ROUNDS} interleaved rounds of ${SECONDS} s each)`,
  );
  line(`  pulses, client for Node: ${Math.round(rates.pulse)}`);
  line(`  stamp proofs, client for Node: ${Math.round(rates.proof)}`);
  line(`  pulses, client for browsers (WebCrypto and JavaScript): ${Math.round(rates.portable)}`);
  for (const { chain } of schemes) {
    const name = chain.schemeID;
    line(`  beacons, drand-client, ${name}: ${rates[name].toFixed(1)}`);
    ratio(`pulse / ${name}`, rates.pulse / rates[name], AIM);
    ratio(`stamp proof / ${name}`, rates.proof / rates[name], AIM);
  }
}

/** A chain that answers one recorded beacon. */
function recorded(chain, beacon) {
  return {
    options: { disableBeaconVerification: false, noCache: false },
    chain: () => ({ baseUrl: 'recorded', info: async () => chain }),
    get: async () => beacon,
    latest: async () => beacon,
  };
}

async function rate(run) {
  const began = performance.now();
  let done = 0;
  while (performance.now() - began < SECONDS * 1000) {
    await run(done);
    done += 1;
  }
  return (done * 1000) / (performance.now() - began);
}
