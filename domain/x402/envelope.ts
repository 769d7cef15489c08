import { parseJson } from '../json.ts';

/** More than any header that a client of x402 makes; longer ones are not even decoded. */
export const ENVELOPE_LENGTH_MAX = 8_192;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

export type Opened =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

export function openEnvelope(text: string): Opened {
  if (text.length > ENVELOPE_LENGTH_MAX) {
    return { ok: false, why: `it has ${text.length} characters, limit ${ENVELOPE_LENGTH_MAX}` };
  }
  if (text === '' || !BASE64.test(text)) return { ok: false, why: 'it is not base64' };
  const parsed = parseJson(Buffer.from(text, 'base64'));
  if (parsed.ok) return parsed;
  return { ok: false, why: parsed.why.replace(/^the body/, 'what it holds') };
}

export function envelope(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
