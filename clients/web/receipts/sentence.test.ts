import assert from 'node:assert/strict';
import { linkTo, momentUtc, paidIn, receiptInLink, sentenceOf } from './sentence.ts';

const OWN = 'key:3YSf6JMaHB9sVJmcWEJjmLvBDPqEMnYyEJUkvW7A61ks';
const AT = '2026-11-29T02:08:59.999Z';
const RECEIPT = {
  v: 1,
  account: OWN,
  task: { id: 'x', title: 'Say hello', requester: 'hub:starter', termsDigest: 'd' },
  paid: { amount: '48500', asset: 'USDC', network: 'sandbox', at: AT },
};

describe('a receipt', () => {
  it('reads as one sentence', () => {
    const paid = paidIn(RECEIPT, OWN);
    assert.ok(paid !== undefined);
    assert.equal(
      sentenceOf(paid),
      '0.0485 test USDC to you for ‘Say hello’, 29 Nov 2026, 02:08 UTC',
    );
    assert.match(sentenceOf({ ...paid, amount: '1' }), /^0\.000001 test USDC to you for/);
    assert.match(sentenceOf({ ...paid, network: 'base' }), /^0\.0485 USDC to you for/);
    assert.match(sentenceOf({ ...paid, amount: '0' }), /^Nothing was paid for ‘Say hello’, /);
    assert.match(sentenceOf({ ...paid, to: '' }), / to the owner of the agent for /);
    assert.equal(paidIn(RECEIPT, undefined)?.to, OWN);
  });

  it('keeps a long title of others on one line, and says when it is cut', () => {
    const title = `first\n\nsecond ${'😀'.repeat(100)}`;
    const sentence = sentenceOf({ amount: '1', network: 'sandbox', to: 'x', what: title, at: AT });
    assert.match(sentence, /‘first second 😀+ …’, 29 Nov/u);
    assert.ok([...sentence].length < 160);
  });

  it('has its time in UTC, to the minute', () => {
    assert.equal(momentUtc('2026-01-01T00:00:00.000Z'), '1 Jan 2026, 00:00 UTC');
    assert.equal(momentUtc('2026-12-31T23:59:59.999Z'), '31 Dec 2026, 23:59 UTC');
    assert.equal(momentUtc('yesterday'), 'yesterday');
  });

  it('is recognised by its members alone', () => {
    const others = [undefined, null, 7, [], {}, { account: OWN }, { ...RECEIPT, paid: 7 }];
    const broken = { ...RECEIPT, paid: { ...RECEIPT.paid, amount: 48_500 } };
    for (const other of [...others, broken, { ...RECEIPT, task: {} }]) {
      assert.equal(paidIn(other, OWN), undefined, JSON.stringify(other));
    }
  });

  it('travels in a link behind the #, whatever letters its title has', () => {
    for (const title of ['Say hello', 'Grüße 😀 ???>>>', '\u0000"\\']) {
      const file = { receipt: { ...RECEIPT, task: { title } }, promise: {} };
      const link = linkTo('/app/trust', file);
      assert.match(link ?? '', /^\/app\/trust#receipt=[\w-]+$/);
      assert.equal(receiptInLink(link?.slice('/app/trust'.length) ?? ''), JSON.stringify(file));
    }
    assert.equal(linkTo('/app/trust', 'x'.repeat(9_000)), undefined);
  });

  it('reads no link that is broken or too long', () => {
    for (const hash of [
      '',
      '#',
      '#other=abc',
      '#receipt=%%%',
      '#receipt=_w',
      `#receipt=${'A'.repeat(9_000)}`,
    ]) {
      assert.equal(receiptInLink(hash), undefined, hash.slice(0, 20));
    }
  });
});
