import { usdc } from '../format.ts';
import { isRecord } from '../publish/conditions.ts';
import { receiptTexts as R } from '../texts/receipts.ts';
import { unit } from '../texts/names.ts';

/** The parts of a receipt that a sentence needs; names are texts of the page or untrusted titles. */
export interface Paid {
  readonly amount: string;
  readonly network: string;
  readonly to: string;
  readonly what: string;
  readonly at: string;
}

/** A title is untrusted and may be long; the details below have all of it. */
const TITLE_LETTERS_MAX = 80;

/** `0.0485 test USDC to you for ‘Say hello’, 29 Nov 2026, 02:08 UTC`. */
export function sentenceOf({ amount, network, to, what, at }: Paid): string {
  const about = R.for(R.quoted(shortTitle(what)));
  const paid =
    amount === '0' ? R.free : R.paid(`${usdc(amount)} ${unit(network)}`, to === '' ? R.owner : to);
  return `${paid} ${about}, ${momentUtc(at)}`;
}

function shortTitle(title: string): string {
  const flat = title.replace(/\s+/g, ' ').trim();
  const short = [...flat].slice(0, TITLE_LETTERS_MAX).join('');
  return short === flat ? flat : `${short} …`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `29 Nov 2026, 02:08 UTC`; what is no time stays as it is. */
export function momentUtc(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const day = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`;
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}

/** Reads the receipt of a paid task; undefined where it is another object. `own` is the reader. */
export function paidIn(receipt: unknown, own: string | undefined): Paid | undefined {
  if (!isRecord(receipt)) return undefined;
  const { account, task, paid } = receipt;
  if (typeof account !== 'string' || !isRecord(task) || !isRecord(paid)) return undefined;
  const [what, amount, network, at] = [task['title'], paid['amount'], paid['network'], paid['at']];
  const areTexts = [what, amount, network, at].every((each) => typeof each === 'string');
  if (!areTexts) return undefined;
  return {
    amount: String(amount),
    network: String(network),
    to: account === own ? R.you : account,
    what: String(what),
    at: String(at),
  };
}

const HASH = '#receipt=';
/** Longer ones are files; an address of this length works in every browser and chat. */
const LINK_LETTERS_MAX = 8_000;

/** A link that carries the receipt itself behind the `#`, which no server receives. */
export function linkTo(page: string, file: unknown): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const link = `${page}${HASH}${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  return link.length > LINK_LETTERS_MAX ? undefined : link;
}

/** The text of the receipt in the address; undefined where there is none. */
export function receiptInLink(hash: string): string | undefined {
  if (!hash.startsWith(HASH) || hash.length > LINK_LETTERS_MAX) return undefined;
  try {
    const text = atob(hash.slice(HASH.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
