import { mustOk } from '../../harness/must.ts';
import { accountAt } from '../../harness/chain/anvil.ts';
import { accountOf, deposit } from '../../services/_lend.ts';
import {
  callBody,
  newPayer,
  payV1,
  payV2,
  quoteFor,
  quoteIn,
  type PaidFixture,
} from '../../x402/_fixture.ts';
import type { Meets } from './_follow.ts';

/** Refusals of money on a chain: a price, a payment not taken, an address that changed. */
const MONEY = 20_000n;

export const ON_CHAIN: Meets<PaidFixture> = {
  'payment-required': async (world) => {
    const payer = await newPayer(world, MONEY);
    const body = callBody(world, payer.agent);
    const answer = await payer.agent.post('/api/v1/call', body);
    return {
      by: payer.agent,
      answer,
      says: /Pay the entry of `accepts`.*send the call again.*\/deposit-address/,
      helps: async () => {
        const quote = quoteIn(answer, 'payment-required');
        return payer.call(body, await payV2(world, payer.wallet, quote));
      },
    };
  },
  'payment-refused': async (world) => {
    const payer = await newPayer(world, MONEY);
    const body = callBody(world, payer.agent);
    const quote = await quoteFor(payer.agent, body);
    const little = await payV1(world, payer.wallet, quote, { signed: { value: 1n } });
    const answer = await payer.call(body, little);
    return {
      by: payer.agent,
      answer,
      says: /make a fresh payment for one entry of `accepts\[\]`, and send the call again/,
      helps: async () => {
        const again = quoteIn(answer, 'payment-refused');
        return payer.call(body, await payV1(world, payer.wallet, again));
      },
    };
  },
  'address-cooling': async (world) => {
    const { alice, hub } = world;
    await deposit(world, accountOf(alice), 5_000_000n);
    const path = `/api/v1/wallet/${alice.account}`;
    const { address } = accountAt(4);
    for (const each of [accountAt(3).address, address]) {
      mustOk(await alice.post(`${path}/payout-address`, { address: each }));
    }
    const body = { address, amount: '1000000', idempotencyKey: 'cooling' };
    return {
      by: alice,
      answer: await alice.post(`${path}/withdraw`, body),
      says: /Send this call again from 20\S+Z/,
      helps: async ({ retryAfterSeconds }) => {
        hub.clock.advance(Number(retryAfterSeconds));
        return alice.post(`${path}/withdraw`, body);
      },
    };
  },
};
