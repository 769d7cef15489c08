import assert from 'node:assert/strict';
import { accountAt, startChain, type Chain } from './anvil.ts';

describe('the chain of the tests', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(async () => {
    await chain.stop();
  });

  it('moves the token, and forgets a transfer that was reorganised away', async () => {
    const [anna, bela] = [accountAt(1), accountAt(2)];
    await chain.mint(anna.address, 5_000_000n);
    const hash = await chain.transfer(anna, bela.address, 2_000_000n);
    assert.equal(await chain.balanceOf(bela.address), 2_000_000n);
    assert.equal((await chain.client.getTransactionReceipt({ hash })).status, 'success');
    await chain.reorg(1);
    assert.equal(await chain.balanceOf(bela.address), 0n);
    await assert.rejects(chain.client.getTransactionReceipt({ hash }));
  });

  it('has a safe and a finalized head behind the latest', async () => {
    await chain.mine(10);
    const [latest, safe, finalized] = await Promise.all(
      (['latest', 'safe', 'finalized'] as const).map((blockTag) =>
        chain.client.getBlock({ blockTag }).then(({ number }) => number),
      ),
    );
    assert.deepEqual([safe, finalized], [latest! - 1n, latest! - 2n]);
  });

  it('settles an authorization once, for its signer alone', async () => {
    const [payer, receiver, relay] = [accountAt(3), accountAt(4), accountAt(5)];
    await chain.mint(payer.address, 1_000n);
    const message = {
      from: payer.address,
      to: receiver.address,
      value: 700n,
      validAfter: 0n,
      validBefore: 2n ** 40n,
      nonce: `0x${'11'.repeat(32)}`,
    } as const;
    const signature = await payer.signTypedData({
      domain: {
        name: 'USD Coin',
        version: '2',
        chainId: chain.client.chain.id,
        verifyingContract: chain.token,
      },
      types: {
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'validAfter', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'TransferWithAuthorization',
      message,
    });
    const settle = (value: bigint) =>
      chain.write(relay, 'transferWithAuthorization', [
        message.from,
        message.to,
        value,
        message.validAfter,
        message.validBefore,
        message.nonce,
        signature,
      ]);
    await assert.rejects(settle(701n), /invalid signature/);
    await settle(700n);
    assert.equal(await chain.balanceOf(receiver.address), 700n);
    await assert.rejects(settle(700n), /used or canceled/);
  });
});
