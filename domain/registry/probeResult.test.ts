import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import type { Price } from './listing.ts';
import { mergeProbe, type ReportedMetadata } from './probeResult.ts';

const price = (amount: bigint): Price => ({
  amount: atomic(amount),
  asset: 'USDC',
  network: 'base',
});

function listed(own: Price | undefined): ReturnType<typeof mergeProbe> {
  const told: ReportedMetadata = {
    transport: 'streamable-http',
    name: 'A',
    skills: [],
    access: 'open',
    authSchemes: [],
    ...(own !== undefined && { price: own }),
    violations: [],
    signals: [],
  };
  const endpoint = 'https://a.example/mcp';
  const seen = {
    kind: 'mcp',
    endpoint,
    verdict: 'live',
    message: 'It answers.',
    latencyMs: 5,
  } as const;
  const place = { origin: 'https://a.example', code: 'code', isMain: true };
  return mergeProbe({ ...seen, told }, place, undefined, instant(0));
}

describe('what a look makes of a quote', () => {
  it('lists a price, and says that it is quoted over x402', () => {
    const listing = listed(price(5n))?.listing;
    assert.deepEqual([listing?.price, listing?.quotesX402], [price(5n), true]);
    assert.deepEqual(listing?.authSchemes, ['x402']);
  });

  it('takes a quote of "0" for no price', () => {
    const listing = listed(price(0n))?.listing;
    assert.deepEqual([listing?.price, listing?.quotesX402], [undefined, false]);
    assert.deepEqual(listing?.authSchemes, []);
  });
});
