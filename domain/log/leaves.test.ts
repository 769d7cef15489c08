import assert from 'node:assert/strict';
import { keyAccount, keyIdOf } from '../account.ts';
import { sha256, sha256Hex } from '../digest.ts';
import { instant } from '../instant.ts';
import type { TransferId } from '../ledger/transfer.ts';
import type { ModelReceipt } from '../models/receipt.ts';
import { atomic, bps, ZERO } from '../money.ts';
import type { Receipt } from '../router/receipt.ts';
import type { Dispute } from '../tasks/model.ts';
import { callLeaf, hashOfLeaf, modelLeaf, payoutLeaf, rulingLeaf, type LogLeaf } from './final.ts';
import { receiptsIn } from './receipts.ts';

const ACCOUNT = keyAccount(keyIdOf(new Uint8Array(32).fill(9)));
const AT = instant(Date.UTC(2026, 10, 28));
const DAY = '2026-11-28T00:00:00.000Z';
const TRANSFER = 'transfer' as TransferId;

function mustSay(leaf: LogLeaf, text: string): void {
  assert.equal(leaf.digest, sha256Hex(text), text);
  assert.equal(leaf.kind, text.split('/')[2]);
}

const CALL: Receipt = {
  id: 'call',
  caller: ACCOUNT,
  network: 'sandbox',
  operation: 'convert',
  maxPrice: atomic(9n),
  at: AT,
  resolveAt: AT,
  endedAt: AT,
  outcome: 'served',
  why: 'It answered.',
  listingId: 'agent',
  endpoint: 'https://a.example/mcp',
  cost: atomic(5n),
  durationMs: 7,
  responseHash: 'ab',
  responseBytes: 3,
  refused: [],
  considered: [],
  paidTo: ACCOUNT,
  transferId: TRANSFER,
};
const callText = (cost: string): string =>
  `hub/log/call/v1\n{"agentId":"agent","at":"${DAY}","caller":"${ACCOUNT}",${cost}"durationMs":7,"endpoint":"https://a.example/mcp","id":"call","network":"sandbox","operation":"convert","outcome":"served","paidTo":"${ACCOUNT}","responseBytes":3,"responseHash":"ab","transferId":"transfer"}`;

describe('the leaf of a stored receipt', () => {
  it('has agent, answer and cost of a call', () => {
    mustSay(callLeaf(CALL), callText('"cost":"5",'));
  });

  it('has no cost yet of a call that is paid on a chain', () => {
    const upstream = { amount: atomic(5n) } as Receipt['upstream'];
    assert.ok(upstream !== undefined);
    mustSay(callLeaf({ ...CALL, upstream }), callText(''));
  });

  it('has usage and money of a model call as texts', () => {
    const receipt: ModelReceipt = {
      id: 'call',
      at: AT,
      payer: ACCOUNT,
      network: 'sandbox',
      door: 'v1',
      model: 'hub/echo',
      maxTokens: 10,
      resolveAt: AT,
      outcome: 'completed',
      finishReason: 'stop',
      usage: { input: 10, output: 3, source: 'provider' },
      held: atomic(50n),
      charged: atomic(16n),
      borne: ZERO,
      durationMs: 7,
      servedBy: 'hub',
      price: { input: 1n, output: 1n },
      refused: [],
      transferId: TRANSFER,
    };
    mustSay(
      modelLeaf(receipt),
      `hub/log/model/v1\n{"at":"${DAY}","charged":"16","durationMs":7,"finishReason":"stop","held":"50","id":"call","model":"hub/echo","network":"sandbox","outcome":"completed","payer":"${ACCOUNT}","servedBy":"hub","transferId":"transfer","usage":{"inputTokens":10,"outputTokens":3,"source":"provider"}}`,
    );
  });

  const PAYOUT = {
    account: ACCOUNT,
    network: 'sandbox',
    seq: 3,
    at: AT,
    reason: 'task.reward',
    amount: '5',
    transferId: TRANSFER,
  };
  const payoutText = `hub/log/payout/v1\n{"account":"${ACCOUNT}","amount":"5","at":"${DAY}","network":"sandbox","reason":"task.reward","seq":3,"transferId":"transfer"}`;

  it('is that of the line of the statement for a payout', () => {
    mustSay(payoutLeaf(PAYOUT), payoutText);
    const { account: owner, network, ...line } = { ...PAYOUT, at: DAY };
    const entries = [{ ...line, direction: 'in', counterparty: 'hub:tasks' }];
    assert.deepEqual(receiptsIn({ owner, network, entries }), [
      { kind: 'payout', text: payoutText },
    ]);
  });

  const DISPUTE: Dispute = {
    taskId: 'task',
    raisedBy: ACCOUNT,
    reason: 'It is wrong.',
    at: AT,
    voidAt: AT,
    state: 'ruled',
    arbiter: ACCOUNT,
    draws: [],
    verdict: 'split',
    workerShareBps: bps(2_500),
    endedAt: instant(AT + 1),
  };
  const money = {
    hub: atomic(1n),
    judges: atomic(2n),
    arbiter: atomic(3n),
    worker: atomic(4n),
    requester: atomic(5n),
    transferId: 'transfer',
  };
  const ruling = (ruledAt: string): string =>
    `hub/log/ruling/v1\n{"arbiter":"${ACCOUNT}","at":"${DAY}","money":{"arbiter":"3","hub":"1","judges":"2","requester":"5","transferId":"transfer","worker":"4"},"raisedBy":"${ACCOUNT}",${ruledAt}"state":"ruled","taskId":"task","verdict":"split","workerShareBps":2500}`;

  it('has the shares of all who are paid by a ruling', () => {
    mustSay(rulingLeaf(DISPUTE, money), ruling('"ruledAt":"2026-11-28T00:00:00.001Z",'));
    const { endedAt: _, ...open } = DISPUTE;
    mustSay(rulingLeaf(open, money), ruling(''));
  });

  it('is hashed as the entry behind a zero byte (RFC 9162)', () => {
    const entry = Buffer.from('{"digest":"ab","kind":"call","v":1}');
    const hash = sha256(Buffer.concat([Buffer.of(0), entry]));
    assert.deepEqual(
      Uint8Array.from(hashOfLeaf({ kind: 'call', digest: 'ab' })),
      Uint8Array.from(hash),
    );
  });
});

describe('receipts in an answer', () => {
  const known = {
    call: { id: 'a', caller: 'k', operation: 'o', outcome: 'served' },
    model: { id: 'a', payer: 'k', model: 'm', outcome: 'completed' },
    payout: { account: 'k', transferId: 't', seq: 1, reason: 'withdraw', amount: '5' },
    ruling: { taskId: 't', raisedBy: 'k', ruledAt: 'x' },
  };
  for (const [kind, receipt] of Object.entries(known)) {
    it(`are a ${kind} by ${Object.keys(receipt).join(', ')}`, () => {
      assert.deepEqual(
        receiptsIn(receipt).map((found) => found.kind),
        [kind],
      );
      for (const name of Object.keys(receipt)) {
        const rest = Object.entries(receipt).filter(([each]) => each !== name);
        assert.deepEqual(receiptsIn(Object.fromEntries(rest)), [], name);
      }
    });
  }

  it('are the first 200 of a page or of a statement', () => {
    const receipts = Array.from({ length: 201 }, () => known.call);
    assert.equal(receiptsIn({ receipts }).length, 200);
    const line = { ...known.payout, direction: 'out' };
    const entries = Array.from({ length: 201 }, () => line);
    assert.equal(receiptsIn({ owner: 'k', network: 'n', entries }).length, 200);
  });

  it('are of the account and the network of their statement', () => {
    const line = { ...known.payout, direction: 'out', account: 'other', network: 'other' };
    assert.deepEqual(receiptsIn({ owner: 'me', network: 'n', entries: [line] }), [
      {
        kind: 'payout',
        text: 'hub/log/payout/v1\n{"account":"me","amount":"5","network":"n","reason":"withdraw","seq":1,"transferId":"t"}',
      },
    ]);
  });

  it('have flat objects of texts and whole numbers alone', () => {
    const found = (usage: unknown): number => receiptsIn({ ...known.model, usage }).length;
    assert.deepEqual([found({ a: 1, b: 'x' }), found({})], [1, 1]);
    for (const usage of [{ a: 1, b: 1.5 }, { a: 'x', b: null }, { a: '\ud800' }, [1]]) {
      assert.equal(found(usage), 0, JSON.stringify(usage));
    }
  });
});
