import assert from 'node:assert/strict';
import type { Hex } from '../../../domain/rails/evm.ts';
import { RAIL, payloadV1, SIGNATURE } from '../../../domain/x402/fixture.ts';
import { readPayload } from '../../../domain/x402/payment.ts';
import { settleData, signerOf } from './authorization.ts';

describe('the signature of an authorization', () => {
  const read = readPayload(payloadV1(), 1);
  if ('fault' in read) throw new Error(read.why);
  const { authorization } = read;
  const signature = SIGNATURE as Hex;

  it('names its wallet, over the domain of this token and chain alone', async () => {
    assert.equal(await signerOf(RAIL, authorization, signature), authorization.from);
    const elsewhere = [
      { ...RAIL, chainId: 84_532 },
      { ...RAIL, token: { name: 'USDC', version: '2' } },
      { ...RAIL, token: { name: 'USD Coin', version: '1' } },
      { ...RAIL, asset: RAIL.payTo },
    ];
    for (const domain of elsewhere) {
      assert.notEqual(await signerOf(domain, authorization, signature), authorization.from);
    }
  });

  it('covers every part of it', async () => {
    const changed = [
      { ...authorization, to: RAIL.asset },
      { ...authorization, value: (authorization.value + 1n) as typeof authorization.value },
      { ...authorization, validAfter: 0n },
      { ...authorization, validBefore: authorization.validBefore + 1n },
      { ...authorization, nonce: `0x${'11'.repeat(32)}` as Hex },
    ];
    for (const other of changed) {
      assert.notEqual(await signerOf(RAIL, other, signature), authorization.from);
    }
  });

  it('has no signer in its second form, with an odd v, or of zeros', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = BigInt(`0x${signature.slice(66, 130)}`);
    const flipped = (order - s).toString(16).padStart(64, '0');
    const copy = `${signature.slice(0, 66)}${flipped}1b` as Hex;
    for (const other of [
      copy,
      `${signature.slice(0, 130)}1d` as Hex,
      `0x${'0'.repeat(130)}` as Hex,
    ]) {
      assert.equal(await signerOf(RAIL, authorization, other), undefined);
    }
  });

  it('is sent to the token as v, r and s, whichever way v was written', () => {
    const zero = `${signature.slice(0, 130)}01` as Hex;
    assert.equal(settleData(authorization, zero), settleData(authorization, signature));
    assert.ok(settleData(authorization, signature).startsWith('0xe3ee160e'));
  });
});
