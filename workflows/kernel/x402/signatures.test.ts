import assert from 'node:assert/strict';
import type { Hex } from '../../../domain/rails/evm.ts';
import { payloadV1, RAIL, SIGNATURE } from '../../../domain/x402/fixture.ts';
import { readPayload } from '../../../domain/x402/payment.ts';
import { signerOf } from './authorization.ts';
import { openPaymentSignatures, SignaturesBusy } from './signatures.ts';

describe('signatures of payments beside the event loop', () => {
  const read = readPayload(payloadV1(), 1);
  if ('fault' in read) throw new Error(read.why);
  const { authorization } = read;
  const signature = SIGNATURE as Hex;
  const signatures = openPaymentSignatures();
  after(() => signatures.close());

  it('are the same answers as beside it: a wallet, another wallet, none', async () => {
    const other = { ...authorization, nonce: `0x${'11'.repeat(32)}` as Hex };
    const nobody = `${signature.slice(0, 130)}1d` as Hex;
    const asked = [
      [authorization, signature],
      [other, signature],
      [authorization, nobody],
    ] as const;
    const found = await Promise.all(asked.map(([each, by]) => signatures.signerOf(RAIL, each, by)));
    const direct = await Promise.all(asked.map(([each, by]) => signerOf(RAIL, each, by)));
    assert.deepEqual(found, direct);
    assert.equal(found[0], authorization.from);
    assert.notEqual(found[1], authorization.from);
    assert.equal(found[2], undefined);
  });

  it('let the event loop turn while hundreds of them wait, and refuse more', async () => {
    const asked = Array.from({ length: 512 }, () =>
      signatures.signerOf(RAIL, authorization, signature),
    );
    await assert.rejects(signatures.signerOf(RAIL, authorization, signature), SignaturesBusy);
    let isOver = false;
    const all = Promise.all(asked).then((found) => {
      isOver = true;
      return found;
    });
    let turns = 0;
    for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.ok((await all).every((found) => found === authorization.from));
    // On the loop itself the recoveries would follow each other in a handful of turns.
    assert.ok(turns > 512, `${turns} turns`);
  });
});
