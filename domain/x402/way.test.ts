import assert from 'node:assert/strict';
import { evmAddress } from '../rails/evm.ts';
import {
  authorizationFor,
  paymentHeader,
  paymentPayload,
  readWay,
  wayOn,
  type WayToPay,
} from './way.ts';

const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const FROM = evmAddress('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A');
const NONCE = `0x${'11'.repeat(32)}` as const;
const v1 = (more = {}) => ({
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '900',
  asset: TOKEN,
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  ...more,
});
const v2 = (more = {}) => {
  const { maxAmountRequired: amount, ...rest } = v1();
  return { ...rest, network: 'eip155:8453', amount, ...more };
};
const HERE = { chainId: 8_453, token: evmAddress(TOKEN) };

function read(offer: unknown, version: 1 | 2 = 1): WayToPay {
  const way = readWay(offer, version, undefined);
  assert.ok(way !== undefined);
  return way;
}

describe('ways to pay that a 402 offers', () => {
  it('are read in both versions, and what the hub cannot sign is none', () => {
    assert.deepEqual([read(v1()).x402Version, read(v2(), 2).x402Version], [1, 2]);
    for (const odd of [
      { scheme: 'upto' },
      { network: 7 },
      { asset: 'USDC' },
      { payTo: undefined },
      { maxAmountRequired: '0' },
      { maxAmountRequired: '1.5' },
      { extra: { assetTransferMethod: 'permit2' } },
    ]) {
      assert.equal(readWay(v1(odd), 1, undefined), undefined, JSON.stringify(odd));
    }
    assert.equal(readWay(null, 1, undefined), undefined);
  });

  it('count on this chain and in this token alone, the cheapest first', () => {
    const cheap = read(v2({ amount: '800' }), 2);
    assert.equal(wayOn([read(v1()), cheap], HERE), cheap);
    for (const odd of [
      { network: 'base-sepolia' },
      { network: 'eip155:84532' },
      { asset: PAY_TO },
      { payTo: TOKEN },
      { payTo: `0x${'0'.repeat(40)}` },
    ]) {
      assert.equal(wayOn([read(v1(odd))], HERE), undefined, JSON.stringify(odd));
    }
  });

  it('are paid to the receiver that was offered, for as long as it asks, within bounds', () => {
    const now = 1_700_000_000_500;
    for (const [asked, lasts] of [
      [60, 60n],
      [1, 10n],
      [86_400, 300n],
    ] as const) {
      const signed = authorizationFor(read(v1({ maxTimeoutSeconds: asked })), FROM, NONCE, now);
      assert.deepEqual(
        [signed.from, signed.to, signed.value, signed.validBefore],
        [FROM, PAY_TO.toLowerCase(), 900n, 1_700_000_000n + lasts],
      );
    }
  });

  it('ask for EIP-3009 by name or not at all, and for a minute when they name no time', () => {
    assert.equal(read(v1({ extra: { assetTransferMethod: 'eip3009' } })).amount, 900n);
    assert.equal(read(v1({ extra: { name: 'USD Coin' } })).amount, 900n);
    for (const maxTimeoutSeconds of [undefined, '90', 1.5]) {
      assert.equal(read(v1({ maxTimeoutSeconds })).timeoutSeconds, 60);
    }
  });

  it('are of version 2 by their answer or by the name of their chain', () => {
    assert.equal(read(v1({ network: 'eip155:8453' })).x402Version, 2);
    assert.equal(read(v1(), 2).x402Version, 2);
    assert.equal(wayOn([read(v1(), 2)], HERE), undefined);
  });

  it('are none without one, and the first of two that cost the same', () => {
    assert.equal(wayOn([], HERE), undefined);
    const [one, same, dear] = [read(v1()), read(v2(), 2), read(v1({ maxAmountRequired: '901' }))];
    assert.equal(wayOn([one, same, dear], HERE), one);
    assert.equal(wayOn([dear, same, one], HERE), same);
  });

  it('are handed back as each version asks, with amounts and times as texts', () => {
    const resource = { url: 'https://seller.example/p' };
    const way = readWay(v2(), 2, resource);
    assert.ok(way !== undefined);
    const signed = authorizationFor(way, FROM, NONCE, 1_700_000_000_999);
    const payload = {
      signature: '0x00',
      authorization: {
        from: FROM,
        to: PAY_TO.toLowerCase(),
        value: '900',
        validAfter: '1699999400',
        validBefore: '1700000060',
        nonce: NONCE,
      },
    };
    assert.deepEqual(paymentPayload(way, signed, '0x00'), {
      x402Version: 2,
      resource,
      accepted: v2(),
      payload,
    });
    const plain = paymentPayload(read(v2(), 2), signed, '0x00');
    assert.deepEqual(plain, { x402Version: 2, accepted: v2(), payload });
    assert.deepEqual(paymentPayload(read(v1()), signed, '0x00'), {
      x402Version: 1,
      scheme: 'exact',
      network: 'base',
      payload,
    });
    assert.deepEqual(
      [paymentHeader(read(v1())), paymentHeader(way)],
      ['x-payment', 'payment-signature'],
    );
  });
});
