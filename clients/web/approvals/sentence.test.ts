import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { approvalTexts } from '../texts/approvals.ts';
import { sentenceOf, type Approval, type Bound } from './sentence.ts';

const KEY = '3YSf6JMaHB9sVJmcWEJjmLvBDPqEMnYyEJUkvW7A61ks';
const MARIA = 'key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeRa';

function callOf(operation: string, request: object, amount = '50000'): Approval {
  const at = '2026-01-01T00:00:00.000Z';
  const shared = { id: 'a', keyId: KEY, network: 'sandbox', askedAt: at, expiresAt: at };
  return { ...shared, operation, amount, asset: 'USDC', state: 'open', request: { ...request } };
}

function keyOf(limits: NonNullable<Bound['spending']>['limits']): Bound {
  const at = '2026-01-01T00:00:00.000Z';
  const spending = { policy: {}, setAt: at, limits };
  const shared = { owner: `key:${KEY}`, publicKey: KEY, requestedAt: at, next: [] };
  return { ...shared, state: 'bound', label: 'My shopping agent', spending };
}

const DAY = { window: 'day', limit: '1000000', used: '100000', left: '900000' } as const;
const MONTH = { window: 'month', limit: '9000000', used: '0', left: '9000000' } as const;
const CALL = { window: 'call', limit: '200000', used: '0', left: '200000' } as const;

describe('the sentence about a call that waits', () => {
  it('names the key, the money, the receiver, the reason and what is spent of the day', () => {
    const call = callOf('wallet.pay', { body: { to: MARIA, memo: 'a train ticket' } });
    assert.equal(
      sentenceOf(call, [keyOf([CALL, DAY, MONTH])], (name) => (name === MARIA ? 'Maria' : name)),
      'My shopping agent wants to pay 0.05 test USDC to Maria for “a train ticket”. Today 0.10 of 1.00 spent.',
    );
  });

  it('shortens names that it does not know, and leaves out what is not there', () => {
    const call = callOf('wallet.pay', { body: { to: MARIA } }, '1');
    assert.equal(
      sentenceOf(call, []),
      'key:3YSf…61ks wants to pay 0.000001 test USDC to key:8qbH…feRa.',
    );
  });

  it('reads a limit of the month where there is none of the day', () => {
    const call = callOf('models.chat', { body: { model: 'house/small' } });
    assert.equal(
      sentenceOf(call, [keyOf([CALL, MONTH])]),
      'My shopping agent wants to ask the model “house/small” for up to 0.05 test USDC. This month 0.00 of 9.00 spent.',
    );
  });

  it('does not show a limit of one call as money that is spent', () => {
    const sentence = sentenceOf(callOf('predictions.bet', {}), [keyOf([CALL])]);
    assert.equal(sentence, 'My shopping agent wants to bet 0.05 test USDC on a market.');
  });

  it('keeps a long or broken memo on one line, and ends it', () => {
    const memo = `first\n\nsecond ${'😀'.repeat(100)}`;
    const sentence = sentenceOf(callOf('wallet.pay', { body: { to: MARIA, memo } }), []);
    assert.match(sentence, /for “first second 😀+ …”\.$/u);
    assert.ok([...sentence].length < 200);
    assert.ok(!sentence.includes('\n'));
  });

  it('ignores values that are no text, and names of every object', () => {
    const request = { body: { to: 7, memo: { toString: 'x' } }, path: null };
    assert.match(sentenceOf(callOf('wallet.pay', request), []), /wants to pay 0\.05 test USDC\.$/);
    assert.match(sentenceOf(callOf('toString', {}), []), /wants to call toString for up to/);
  });

  it('has words for every operation that can wait for an approval', () => {
    const text = readFileSync('generated/openapi.json', 'utf8');
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, object>> };
    const waiting = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter((operation) => JSON.stringify(operation).includes('approval-needed'))
      .map((operation) => String(Reflect.get(operation, 'operationId')));
    assert.ok(waiting.length > 15);
    const services = /^services\./;
    assert.deepEqual(
      waiting.filter((id) => !Object.hasOwn(approvalTexts.acts, id) && !services.test(id)),
      [],
    );
  });
});
