import { atomic } from '../money.ts';
import { evmAddress } from '../rails/evm.ts';
import { chainNameV2, type Rail } from './rail.ts';

/** One payment in both versions, for tests that change a part of it. */
export const RAIL: Rail = {
  network: 'base',
  chainId: 8_453,
  asset: evmAddress('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  token: { name: 'USD Coin', version: '2' },
  payTo: evmAddress('0x209693Bc6afc0C5328bA36FaF03C514EF312287C'),
};
export const AMOUNT = atomic(10_000n);
export const NOW_SECONDS = 1_740_672_100;

const AUTHORIZATION = {
  from: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  to: RAIL.payTo as string,
  value: '10000',
  validAfter: '1740672089',
  validBefore: '1740672154',
  nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
};
/** By the key of 32 bytes 0x11. */
export const SIGNATURE =
  '0x0723db57f7d94d74a8a148fd4989d7e31e58f129a830c4746d228bde6e8532342e8623c7bb1e8daedef3328bbdedc860dfa4054c8cad080d049370627579ef4d1c';

type Changes = Readonly<Record<string, unknown>>;

export function payloadV1(changes: Changes = {}, authorization: Changes = {}): Changes {
  const payload = { signature: SIGNATURE, authorization: { ...AUTHORIZATION, ...authorization } };
  return { x402Version: 1, scheme: 'exact', network: 'base', payload, ...changes };
}

export function payloadV2(accepted: Changes = {}, authorization: Changes = {}): Changes {
  const payload = { signature: SIGNATURE, authorization: { ...AUTHORIZATION, ...authorization } };
  const terms = {
    scheme: 'exact',
    network: chainNameV2(RAIL),
    amount: '10000',
    asset: RAIL.asset,
    payTo: RAIL.payTo,
    maxTimeoutSeconds: 120,
    extra: RAIL.token,
  };
  return { x402Version: 2, accepted: { ...terms, ...accepted }, payload };
}
