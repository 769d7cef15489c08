import { problemTexts as P } from '../texts/problems.ts';

/** Each returns why a typed value cannot be right, or undefined while it still can become right. */
const SCHEMES = ['https://', 'http://'] as const;

export function addressProblem(typed: string): string | undefined {
  const text = typed.trim();
  const low = text.toLowerCase();
  // A text that may become the beginning of an address is not called wrong while it is typed.
  if (SCHEMES.some((scheme) => scheme.startsWith(low))) return undefined;
  const scheme = SCHEMES.find((each) => low.startsWith(each));
  if (scheme === undefined) return P.scheme;
  if (/\s/.test(text)) return P.space;
  const [host = ''] = text.slice(scheme.length).split(/[/?#]/);
  if (host === '') return text.length > scheme.length ? P.host : undefined;
  return URL.canParse(text) ? undefined : P.host;
}

const KEY = 'key:';
const KEY_ID = /^[1-9A-HJ-NP-Za-km-z]+$/;
const KEY_ID_MIN = 32;
const KEY_ID_MAX = 44;

export function accountProblem(typed: string): string | undefined {
  const text = typed.trim();
  if (KEY.startsWith(text)) return undefined;
  if (!text.startsWith(KEY)) {
    // Accounts of the hub, of the chain and outside have names of their own.
    return /^[a-z]+:/.test(text) ? undefined : P.account;
  }
  const id = text.slice(KEY.length);
  if (!KEY_ID.test(id)) return P.keyLetters;
  if (id.length > KEY_ID_MAX) return P.keyLong(id.length - KEY_ID_MAX);
  return id.length < KEY_ID_MIN ? P.keyShort(KEY_ID_MIN - id.length) : undefined;
}

const EVM_DIGITS = 40;

export function evmProblem(typed: string): string | undefined {
  const text = typed.trim();
  if ('0x'.startsWith(text.toLowerCase())) return undefined;
  if (!/^0x/i.test(text)) return P.evm;
  const digits = text.slice(2);
  if (!/^[0-9a-fA-F]*$/.test(digits)) return P.evmDigits;
  return digits.length === EVM_DIGITS ? undefined : P.evmCount(digits.length);
}
