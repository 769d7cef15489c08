import type { JsonObject } from '../../domain/jsonObject.ts';

/** x402 over MCP: a payment is an object in the message, its receipt an object in the result. */
const RECEIPT = 'x-payment-response';

/** The header in which HTTP carries the same payment: version 2 has one of its own. */
export function paymentHeader(payment: JsonObject): Readonly<Record<string, string>> {
  const name = payment['x402Version'] === 2 ? 'payment-signature' : 'x-payment';
  return { [name]: Buffer.from(JSON.stringify(payment)).toString('base64') };
}

/** The JSON text of a settled payment's receipt, which HTTP carries as base64 in a header. */
export function receiptJson(
  headers: Readonly<Record<string, string>> | undefined,
): string | undefined {
  const receipt = headers?.[RECEIPT];
  return receipt === undefined ? undefined : Buffer.from(receipt, 'base64').toString('utf8');
}
