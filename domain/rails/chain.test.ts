import assert from 'node:assert/strict';
import { keyAccount, keyIdOf } from '../account.ts';
import { instant } from '../instant.ts';
import { atomic, ZERO } from '../money.ts';
import { depositPath, parseDepositPath, stepsOf } from './depositPath.ts';
import {
  chainHash,
  checksummed,
  evmAddress,
  isEvmAddress,
  parseAddress,
  readTransferCall,
  transferCall,
  ZERO_ADDRESS,
} from './evm.ts';
import { ownershipText, sharedAddress } from './ownership.ts';
import { planned, readPlan, writePlan, type SweepPlan } from './sweep.ts';
import { bumped, gasLimit, newTransaction, waitAfter } from './transaction.ts';

/** Addresses of EIP-55, each in its checksum form. */
const CHECKSUMMED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
] as const;
const [FIRST, SECOND] = [evmAddress(CHECKSUMMED[0]), evmAddress(CHECKSUMMED[1])];
const ACCOUNT = keyAccount(keyIdOf(new Uint8Array(32).fill(9)));
const HASH = `0x${'aB'.repeat(32)}`;

describe('addresses of a chain', () => {
  it('are kept in lower case and shown with their checksum', () => {
    for (const text of CHECKSUMMED) {
      assert.equal(evmAddress(text), text.toLowerCase());
      assert.equal(checksummed(evmAddress(text)), text);
    }
    assert.equal(chainHash(HASH), HASH.toLowerCase());
    assert.equal(ZERO_ADDRESS, `0x${'0'.repeat(40)}`);
  });

  it('are parsed in one case, or with a checksum that holds', () => {
    for (const text of CHECKSUMMED) {
      const digits = text.slice(2);
      for (const form of [digits, digits.toLowerCase(), digits.toUpperCase()]) {
        assert.equal(parseAddress(`0x${form}`), text.toLowerCase());
      }
    }
    assert.equal(parseAddress('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), undefined);
  });

  it('have forty digits behind 0x, and hashes sixty-four', () => {
    const [digits, long] = [FIRST.slice(2), HASH.slice(2)];
    assert.ok(isEvmAddress(CHECKSUMMED[0]) && !isEvmAddress(7));
    for (const text of ['', digits, `0x${digits}0`, `x0x${digits}`, `0x${digits.slice(1)}g`]) {
      assert.equal(parseAddress(text), undefined);
      assert.ok(!isEvmAddress(text), text);
      assert.throws(() => evmAddress(text), { message: `not an EVM address: ${text}` });
    }
    for (const text of ['', long, `0x${long}0`, `x0x${long}`]) {
      assert.throws(() => chainHash(text), { message: `not a hash of a chain: ${text}` });
    }
    assert.throws(() => evmAddress('x'.repeat(99)), {
      message: `not an EVM address: ${'x'.repeat(60)}`,
    });
    assert.throws(() => chainHash('x'.repeat(99)), {
      message: `not a hash of a chain: ${'x'.repeat(80)}`,
    });
  });

  it('are proved by a text that names the wallet and the account', () => {
    assert.equal(
      ownershipText(ACCOUNT, FIRST),
      `hub/payout-address/v1\nWallet: ${CHECKSUMMED[0]}\nAccount: ${ACCOUNT}\nI own both, and they count as one party on this exchange.`,
    );
    assert.equal(sharedAddress(FIRST), `evm:${FIRST}`);
  });
});

describe('the data of a transfer of the token', () => {
  const data = transferCall(FIRST, 258n);

  it('is the selector, the receiver and the amount in words of 32 bytes', () => {
    assert.equal(data, `0xa9059cbb${'0'.repeat(24)}${FIRST.slice(2)}${'0'.repeat(61)}102`);
    assert.deepEqual(readTransferCall(data), { to: FIRST, amount: 258n });
    assert.deepEqual(readTransferCall(data.toUpperCase().replace('X', 'x') as `0x${string}`), {
      to: FIRST,
      amount: 258n,
    });
  });

  it('is read from no other call', () => {
    const wrong = [
      data.replace('a9', 'a8'),
      `${data}0`,
      data.slice(0, -1),
      data.replace('0000', '0001'),
    ];
    for (const each of wrong) assert.equal(readTransferCall(each as `0x${string}`), undefined);
  });
});

describe('the path of a deposit address', () => {
  it('has four steps of 31 bits that follow from the network and the account', () => {
    const path = depositPath('base', ACCOUNT);
    assert.equal(path, depositPath('base', ACCOUNT));
    assert.notEqual(path, depositPath('sandbox', ACCOUNT));
    const steps = stepsOf(path);
    assert.equal(steps.length, 4);
    assert.ok(steps.every((step) => Number.isInteger(step) && step >= 0 && step < 2 ** 31));
    assert.equal(parseDepositPath(path), path);
    // Money lies at these addresses: they may never move.
    assert.equal(path, '1033983502/1742869884/359245246/914788303');
  });

  it('is at most four steps of a plain number below 2^31', () => {
    for (const text of ['0', '7', '1/2/3/4', `${2 ** 31 - 1}`]) {
      assert.equal(parseDepositPath(text), text);
    }
    for (const text of [7, '', '1/', '/1', '01', '-1', '1.5', `${2 ** 31}`, '1/2/3/4/5', 'x']) {
      assert.equal(parseDepositPath(text), undefined, String(text));
    }
  });
});

describe('a call of the hot wallet', () => {
  it('waits twice as long after each refusal, up to a quarter of an hour', () => {
    const waits = [0, 1, 2, 3, 4, 6, 7, 8, 50].map(waitAfter);
    assert.deepEqual(waits, [15, 15, 30, 60, 120, 480, 900, 900, 900]);
  });

  it('is replaced at a quarter more, or at the price of the market', () => {
    const last = { maxFee: 1_000n, priorityFee: 100n };
    const low = { maxFee: 1n, priorityFee: 1n };
    assert.deepEqual(bumped(last, low), { maxFee: 1_251n, priorityFee: 126n });
    const high = { maxFee: 5_000n, priorityFee: 300n };
    assert.deepEqual(bumped(last, high), high);
    // The whole fee is never less than its part for the miner.
    const odd = bumped({ maxFee: 10n, priorityFee: 10n }, { maxFee: 1n, priorityFee: 900n });
    assert.deepEqual(odd, { maxFee: 900n, priorityFee: 900n });
  });

  it('asks for a third more gas than the estimate', () => {
    assert.equal(gasLimit(60_000n), 90_000n);
  });

  it('begins queued and due at once, with what is known of it', () => {
    const now = instant(1_000);
    const made = newTransaction(now, { id: 'x', needs: atomic(5n), tries: 1 });
    assert.deepEqual(made, {
      state: 'queued',
      sender: null,
      nonce: null,
      final: false,
      needs: 5n,
      tries: 1,
      nextTryAt: now,
      cancelAsked: false,
      minedHash: null,
      minedBlock: null,
      replacedBy: null,
      note: null,
      createdAt: now,
      updatedAt: now,
      id: 'x',
    });
    assert.equal(newTransaction(now, {}).needs, ZERO);
  });
});

describe('the file of a sweep', () => {
  const order = (n: number, signature?: `0x${string}`): SweepPlan['orders'][number] => ({
    path: depositPath('base', ACCOUNT),
    authorization: {
      from: SECOND,
      to: FIRST,
      value: atomic(BigInt(n)),
      validAfter: 0n,
      validBefore: 1_800_000_000n,
      nonce: `0x${'1f'.repeat(32)}`,
    },
    ...(signature !== undefined && { signature }),
  });
  const plan: SweepPlan = {
    chainId: 8453,
    asset: SECOND,
    token: { name: 'USD Coin', version: '2' },
    to: FIRST,
    orders: [order(1_000), order(2_500, `0x${'2e'.repeat(65)}`)],
  };
  const text = writePlan(plan);
  const changed = (change: (file: Record<string, unknown>) => void): string => {
    const file = JSON.parse(text) as Record<string, unknown>;
    change(file);
    return JSON.stringify(file);
  };
  const withOrder = (more: object): string =>
    changed((file) => {
      const [one] = file['orders'] as object[];
      file['orders'] = [{ ...one, ...more }];
    });

  it('is read as it was written, with its addresses in checksum form', () => {
    assert.deepEqual(readPlan(text), plan);
    assert.equal(planned(plan), 3_500n);
    assert.ok(text.includes(CHECKSUMMED[0]) && text.includes(CHECKSUMMED[1]));
    assert.ok(text.endsWith('}\n'));
    assert.deepEqual(readPlan(changed((file) => (file['orders'] = []))), { ...plan, orders: [] });
  });

  it('is none when a part is missing or wrong', () => {
    const parts = ['chainId', 'asset', 'token', 'to'];
    const texts = [
      '',
      '[]',
      '{}',
      ...parts.map((name) => changed((file) => delete file[name])),
      changed((file) => (file['chainId'] = '8453')),
      changed((file) => (file['token'] = { name: 'USD Coin', version: 2 })),
      changed((file) => (file['token'] = { name: 1, version: '2' })),
      changed((file) => (file['asset'] = '0x1')),
      changed((file) => (file['orders'] = ['x'])),
      changed(
        (file) => (file['orders'] = Array<unknown>(1_001).fill((file['orders'] as unknown[])[0])),
      ),
    ];
    for (const each of texts) assert.equal(readPlan(each), undefined, each.slice(0, 80));
    const many = changed(
      (file) => (file['orders'] = Array<unknown>(1_000).fill((file['orders'] as unknown[])[0])),
    );
    assert.equal(readPlan(many)?.orders.length, 1_000);
  });

  it('has no order with a wrong path, amount, time, nonce or signature', () => {
    for (const more of [
      { path: '1/2/3/4/5' },
      { from: '0x1' },
      { value: 1_000 },
      { value: '01' },
      { validBefore: 1_800_000_000 },
      { validBefore: '0' },
      { validBefore: '12345678901234567' },
      { nonce: `0x${'1f'.repeat(31)}` },
      { nonce: 7 },
      { signature: `0x${'2e'.repeat(64)}` },
      { signature: 7 },
    ]) {
      assert.equal(readPlan(withOrder(more)), undefined, JSON.stringify(more));
    }
    assert.ok(readPlan(withOrder({ value: '0', validBefore: '1' })));
  });
});
