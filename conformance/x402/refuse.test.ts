import assert from 'node:assert/strict';
import { mustOk, mustRefuse, at } from '../harness/must.ts';
import type { Answer } from '../harness/agents.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  callBody,
  encoded,
  freshWallet,
  newPayer,
  openPaidFixture,
  payV1,
  payV2,
  PRICE,
  quoteFor,
  quoteIn,
  receiptsIn,
  SUITE_MS_MAX,
  type Changes,
  type PaidFixture,
  type Payer,
  type Quote,
} from './_fixture.ts';

const MONEY = 20_000n;
const ELSEWHERE = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
type Header = Readonly<Record<string, string>>;

describe('a payment over x402 that is not taken', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  before(async () => {
    world = await openPaidFixture();
  });
  after(() => world.close());

  /** A refusal in x402's words, with the terms to pay by; no agent was called and nothing moved. */
  async function mustMoveNothing(
    payer: Payer,
    header: (quote: Quote) => Promise<Header>,
    fault: string,
  ): Promise<Answer> {
    const body = callBody(world, payer.agent);
    const quote = await quoteFor(payer.agent, body);
    const [calls, before] = [
      world.agent_.calls.length,
      await world.chain.balanceOf(payer.wallet.address),
    ];
    const answer = await payer.call(body, await header(quote));
    const refused = mustRefuse(answer, 402, 'payment-refused');
    assert.match(String(refused['error']), new RegExp(`^${fault}: .{10,}`), answer.text);
    assert.equal(quoteIn(answer, 'payment-refused').v1['maxAmountRequired'], PRICE);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(world.agent_.calls.length, calls, 'no agent was called');
    assert.equal(await world.chain.balanceOf(payer.wallet.address), before, 'no token moved');
    assert.equal((await walletOf(payer.agent))['balance'], '0');
    return answer;
  }

  const seconds = (): bigint => BigInt(Math.floor(world.hub.clock.now() / 1000));
  const changed: readonly (readonly [string, string, () => Changes])[] = [
    ['for another chain', 'invalid_network', () => ({ outside: { network: 'base-sepolia' } })],
    ['of another scheme', 'unsupported_scheme', () => ({ outside: { scheme: 'upto' } })],
    ['of another version', 'invalid_x402_version', () => ({ outside: { x402Version: 7 } })],
    [
      'to another address',
      'invalid_exact_evm_payload_recipient_mismatch',
      () => ({ signed: { to: ELSEWHERE } }),
    ],
    [
      'of too little',
      'invalid_exact_evm_payload_authorization_value',
      () => ({ signed: { value: BigInt(PRICE) - 1n } }),
    ],
    [
      'of nothing',
      'invalid_exact_evm_payload_authorization_value',
      () => ({ signed: { value: 0n } }),
    ],
    [
      'that is over',
      'invalid_exact_evm_payload_authorization_valid_before',
      () => ({ signed: { validBefore: seconds() } }),
    ],
    [
      'that has not begun',
      'invalid_exact_evm_payload_authorization_valid_after',
      () => ({ signed: { validAfter: seconds() + 60n } }),
    ],
    [
      'signed for less than it says',
      'invalid_exact_evm_payload_signature',
      () => ({ signed: { value: 1n }, sent: { value: PRICE } }),
    ],
    [
      'signed for another nonce',
      'invalid_exact_evm_payload_signature',
      () => ({ sent: { nonce: `0x${'ab'.repeat(32)}` } }),
    ],
    [
      'from a wallet that did not sign it',
      'invalid_exact_evm_payload_signature',
      () => ({ by: freshWallet() }),
    ],
    [
      'of more than the wallet has',
      'insufficient_funds',
      () => ({ signed: { value: MONEY + 1n } }),
    ],
  ];
  for (const [what, fault, changes] of changed) {
    it(`is one ${what}: ${fault}`, async () => {
      const payer = await newPayer(world, MONEY);
      await mustMoveNothing(payer, (quote) => payV1(world, payer.wallet, quote, changes()), fault);
    });
  }

  it('says why in the receipts of both versions', async () => {
    const payer = await newPayer(world, 0n);
    const fault = 'insufficient_funds';
    const pay = (quote: Quote) => payV2(world, payer.wallet, quote);
    const [first, second] = receiptsIn(await mustMoveNothing(payer, pay, fault));
    const wallet = payer.wallet.address.toLowerCase();
    const refusal = { success: false, errorReason: fault, transaction: '', payer: wallet };
    assert.deepEqual(first, { ...refusal, network: 'base' });
    assert.deepEqual(second, { ...refusal, network: 'eip155:8453' });
  });

  const accepted: readonly (readonly [string, string, object])[] = [
    ['another token', 'invalid_payment_requirements', { asset: ELSEWHERE }],
    ['another receiver', 'invalid_payment_requirements', { payTo: ELSEWHERE }],
    ['another chain', 'invalid_network', { network: 'eip155:84532' }],
    ['a chain by its old name', 'invalid_network', { network: 'base' }],
    ['another scheme', 'unsupported_scheme', { scheme: 'batch-settlement' }],
    [
      'another amount',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      { amount: '5001' },
    ],
  ];
  for (const [what, fault, terms] of accepted) {
    it(`is one that accepted ${what}: ${fault}`, async () => {
      const payer = await newPayer(world, MONEY);
      const pay = ({ v2, ...quote }: Quote) => {
        const outside = { accepted: { ...v2, ...terms } };
        return payV2(world, payer.wallet, { v2, ...quote }, { outside });
      };
      await mustMoveNothing(payer, pay, fault);
    });
  }

  const junk: readonly (readonly [string, string])[] = [
    ['no base64', '{"x402Version":1}'],
    ['base64 of nothing', encoded('')],
    ['base64 of a list', encoded([])],
    ['base64 of null', encoded(null)],
    ['base64 that is cut', encoded({ x402Version: 1 }).slice(0, -3)],
    ['six thousand letters', 'A'.repeat(6_000)],
  ];
  for (const [what, value] of junk) {
    it(`is ${what}, in either header: invalid_payload`, async () => {
      const payer = await newPayer(world, 0n);
      await mustMoveNothing(payer, async () => ({ 'x-payment': value }), 'invalid_payload');
      await mustMoveNothing(payer, async () => ({ 'payment-signature': value }), 'invalid_payload');
    });
  }

  it('is one in two headers', async () => {
    const payer = await newPayer(world, MONEY);
    const both = async (quote: Quote): Promise<Header> => ({
      ...(await payV1(world, payer.wallet, quote)),
      ...(await payV2(world, payer.wallet, quote)),
    });
    await mustMoveNothing(payer, both, 'invalid_payload');
  });

  it('is too long for a header: refused before it is decoded', async () => {
    const payer = await newPayer(world, 0n);
    const body = callBody(world, payer.agent);
    const long = await payer.call(body, { 'x-payment': 'A'.repeat(9_000) });
    mustRefuse(long, 400, 'bad-request');
    const headers = { 'x-payment': 'A'.repeat(1_048_576) };
    const url = new URL('/api/v1/call', world.hub.url);
    const huge = await fetch(url, { method: 'POST', headers, body: '{}' }).catch(() => undefined);
    assert.ok(huge === undefined || huge.status === 431, 'cut off, or refused as too large');
  });

  it('is signed by a wallet that is not the payout address of the account', async () => {
    const [stranger, payer] = [freshWallet(), await newPayer(world, 0n)];
    await world.chain.mint(stranger.address, MONEY);
    const pay = (quote: Quote) => payV1(world, stranger, quote);
    const answer = await mustMoveNothing(payer, pay, 'invalid_payment');
    assert.match(String(answer.body['hint']), /payout-address .*"address"/);
    assert.equal(await world.chain.balanceOf(stranger.address), MONEY);
    const rows = await rowsOf(stranger.address);
    assert.deepEqual(rows, [], 'not even its nonce is kept');
  });

  it('is another payer’s, seen on the way', async () => {
    const [victim, thief] = [await newPayer(world, MONEY), await newPayer(world, 0n)];
    const quote = await quoteFor(thief.agent, callBody(world, thief.agent));
    const stolen = await payV1(world, victim.wallet, quote);
    await mustMoveNothing(thief, async () => stolen, 'invalid_payment');
    assert.equal(await world.chain.balanceOf(victim.wallet.address), MONEY);
    const body = callBody(world, victim.agent);
    mustOk(await victim.call(body, stolen));
  });

  it('must be covered by the signature of the request', async () => {
    const payer = await newPayer(world, MONEY);
    const body = callBody(world, payer.agent);
    const quote = await quoteFor(payer.agent, body);
    for (const header of [
      await payV1(world, payer.wallet, quote),
      await payV2(world, payer.wallet, quote),
    ]) {
      const request = await payer.agent.signed('POST', '/api/v1/call', body);
      for (const [name, value] of Object.entries(header)) request.headers.set(name, value);
      mustRefuse(await payer.agent.send(request), 401, 'incomplete-coverage');
    }
    assert.equal(await world.chain.balanceOf(payer.wallet.address), MONEY);
  });

  it('was used before, in whatever call', async () => {
    const payer = await newPayer(world, MONEY);
    const body = callBody(world, payer.agent);
    const header = await payV1(world, payer.wallet, await quoteFor(payer.agent, body));
    mustOk(await payer.call(body, header));
    const left = await world.chain.balanceOf(payer.wallet.address);
    const again = await payer.call(callBody(world, payer.agent), header);
    mustRefuse(again, 402, 'payment-refused');
    assert.match(String(again.body['error']), /^invalid_exact_evm_nonce_already_used/);
    assert.equal(await world.chain.balanceOf(payer.wallet.address), left);
    assert.equal((await walletOf(payer.agent))['balance'], '0', 'credited once, and spent');
  });

  it('came with a call that was made before: it is not touched', async () => {
    const payer = await newPayer(world, MONEY);
    const body = callBody(world, payer.agent);
    const quote = await quoteFor(payer.agent, body);
    const first = mustOk(await payer.call(body, await payV1(world, payer.wallet, quote)));
    const left = await world.chain.balanceOf(payer.wallet.address);
    const again = mustOk(await payer.call(body, await payV1(world, payer.wallet, quote)));
    assert.equal(again['repeated'], true);
    assert.equal(at(again, 'receipt', 'id'), at(first, 'receipt', 'id'));
    assert.equal(await world.chain.balanceOf(payer.wallet.address), left);
  });

  it('comes with a call that costs nothing: it is not touched', async () => {
    const payer = await newPayer(world, MONEY);
    const quote = await quoteFor(payer.agent, callBody(world, payer.agent));
    const header = await payV1(world, payer.wallet, quote);
    const nobody = callBody(world, payer.agent, { agentId: undefined, operation: 'nobody-has-it' });
    const answer = mustOk(await payer.call(nobody, header));
    assert.equal(at(answer, 'receipt', 'outcome'), 'none-suitable');
    assert.equal(await world.chain.balanceOf(payer.wallet.address), MONEY);
    assert.deepEqual(await rowsOf(payer.wallet.address), []);
  });

  it('pays one of fifty calls that bring it at once', async function race() {
    const payer = await newPayer(world, 400_000n);
    const bodies = Array.from({ length: 50 }, () => callBody(world, payer.agent));
    const quote = await quoteFor(payer.agent, bodies[0] ?? {});
    const header = await payV2(world, payer.wallet, quote);
    const answers = await Promise.all(bodies.map((body) => payer.call(body, header)));
    const served = answers.filter(({ status }) => status === 200);
    assert.equal(served.length, 1);
    for (const answer of answers) {
      if (answer.status === 200) continue;
      mustRefuse(answer, 402, 'payment-refused');
      assert.match(String(answer.body['error']), /^invalid_exact_evm_nonce_already_used/);
    }
    assert.equal(await world.chain.balanceOf(payer.wallet.address), 395_000n);
    assert.equal((await walletOf(payer.agent))['balance'], '0');
  });

  async function rowsOf(wallet: string): Promise<readonly unknown[]> {
    return world.hub.running.hub.store.read((db) =>
      db.knex('x402_payments').where({ payer: wallet.toLowerCase() }),
    );
  }
});

describe('a hub without a facilitator', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  before(async () => {
    world = await openPaidFixture({ env: { HUB_X402_FACILITATOR: '' } });
  });
  after(() => world.close());

  it('refuses for lack of money as ever, and names no rail to a payment', async () => {
    const payer = await newPayer(world, MONEY);
    const body = callBody(world, payer.agent);
    mustRefuse(await payer.agent.post('/api/v1/call', body), 400, 'insufficient-funds');
    const refused = await payer.call(body, { 'x-payment': encoded({ x402Version: 1 }) });
    const { accepts, x402Version } = mustRefuse(refused, 402, 'payment-refused');
    assert.deepEqual([accepts, x402Version], [[], 1]);
    assert.equal(await world.chain.balanceOf(payer.wallet.address), MONEY);
  });
});
