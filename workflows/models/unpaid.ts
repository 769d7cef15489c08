import { postBazaar } from '../../domain/x402/bazaar.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Hub } from '../kernel/hub.ts';
import { paymentRequired, WHAT_IS_LEFT } from '../x402/require.ts';
import { buying, CHAT_PATH, type AdmittedCall } from './admit.ts';

/** Quotes an unpaid call's maximum cost (Models, rule 5); `accepts` is empty without a rail. */
export function refuseUnpaid(hub: Hub, admitted: AdmittedCall, rail: Rail | undefined): never {
  const { offer, worst, promptTokens, maxTokens, network } = admitted;
  const messages = [{ role: 'user', content: '<your question>' }];
  const bazaar = postBazaar({ model: offer.id, messages });
  const description = buying(admitted);
  const price = { network, amount: worst, path: CHAT_PATH, description, bazaar };
  const sign =
    'Sign the request with a key whose account has money: GET /api/v1/quickstart shows how.';
  const pay = `Or pay the entry of \`accepts\` and send the same call with the payment. ${WHAT_IS_LEFT}`;
  return paymentRequired(hub, price, rail, {
    error: `This call costs at most ${worst} atomic USDC (${promptTokens} tokens of prompt, ${maxTokens} of answer by ${offer.id}) on ${network} and nothing pays for it.`,
    hint: rail === undefined ? sign : `${sign} ${pay}`,
  });
}
