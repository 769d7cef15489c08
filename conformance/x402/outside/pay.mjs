import { privateKeyToAccount } from 'viem/accounts';
import { decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch';

/** `x402-fetch` (version 1) from npm, unmodified, buys one answer. */
const [url, key, body] = process.argv.slice(2);
const paying = wrapFetchWithPayment(fetch, privateKeyToAccount(key));
const answer = await paying(`${url}/api/v1/models/chat`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});
const text = await answer.text();
if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
const { success, transaction } = decodeXPaymentResponse(answer.headers.get('x-payment-response'));
if (!success) throw new Error('it did not settle');
process.stdout.write(`x402-fetch paid with ${transaction}\n`);
