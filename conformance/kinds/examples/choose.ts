import { idBehind, UUID } from './ids.ts';

/**
 * The examples of refusals of an operation, from all that a run met. Ids, accounts and addresses
 * become those of the contract's other examples, so that a new run gives the same text.
 */
export type Refusal = Readonly<Record<string, unknown>>;

const EXAMPLES_MAX = 3;
const AT = '2026-11-20T10:00:00.000Z';
const KEYS = [
  '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt',
  '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR',
] as const;
const ALLOWED_MAX = 8;
const OTHER_NETWORKS = /\b(?:on|network=) ?(?:play|base)\b/;
/** More than any refusal has letters. */
const FAR = 1_000_000;
/** Mistakes in the form of a request, the likeliest first. An operation has one of them. */
const FORMS = [
  'missing-field',
  'bad-amount',
  'unknown-field-value',
  'unknown-filter',
  'bad-request',
  'bad-account',
  'bad-path',
  'not-together',
  'network-unknown',
  'bad-json',
];
/** The most frequent of an operation's own codes; the others follow by precedence. */
const OFTEN = ['insufficient-funds', 'not-found', 'wrong-state', 'claim-token', 'wrong-owner'];
const LAST = ['unsigned', 'api-key', 'rate-limited', 'stale', 'no-route'];
/** The codes of a signature, which no other request has. */
const LONG = ['requestId', 'signatureBase', 'signatureBaseSha256', 'hubTime'];

/** Returns code to refusal. `own` are the codes that the operation itself lists, in its order. */
export function choose(
  matched: readonly Refusal[],
  own: readonly string[],
): Record<string, Refusal> {
  const byCode = new Map<string, Refusal[]>();
  for (const refusal of matched.map(masked)) {
    const code = codeOf(refusal);
    byCode.set(code, [...(byCode.get(code) ?? []), refusal]);
  }
  const isForm = (code: string): boolean => FORMS.includes(code);
  const ranks = [...OFTEN, ...own].filter((code) => !isForm(code));
  const [form = ''] = FORMS.filter((code) => byCode.has(code));
  const codes = [...new Set([form, ...ranks, ...LAST, ...FORMS])].filter((code) =>
    byCode.has(code),
  );
  return Object.fromEntries(
    codes.slice(0, EXAMPLES_MAX).map((code) => [code, plainest(byCode.get(code) ?? [])]),
  );
}

/** Routes under /v1 nest the refusal. */
function codeOf(refusal: Refusal): string {
  const { error, code } = refusal;
  if (typeof error !== 'object' || error === null) return String(code);
  const { code: nested, details } = error as Refusal;
  const [first] = Array.isArray(details) ? (details as readonly Refusal[]) : [];
  return String(first?.['reason'] ?? nested);
}

/** Prefers test money, then the shortest, then the first: the same each run. */
function plainest(refusals: readonly Refusal[]): Refusal {
  const weight = (text: string): number => text.length + (OTHER_NETWORKS.test(text) ? FAR : 0);
  const [first = '{}'] = refusals
    .map((each) => JSON.stringify(each))
    .sort((a, b) => weight(a) - weight(b) || (a < b ? -1 : 1));
  return JSON.parse(first) as Refusal;
}

/** With the path or the word before it, which says its kind. */
const IDS = new RegExp(`((?:\\b[a-z-]+s/|decision ))?\\b${UUID.source}\\b`, 'g');

function masked(refusal: Refusal): Refusal {
  const keys = new Map<string, string>();
  const keyOf = (key: string): string => {
    const known = keys.get(key) ?? KEYS[Math.min(keys.size, KEYS.length - 1)] ?? KEYS[0];
    keys.set(key, known);
    return known;
  };
  const text = JSON.stringify(refusal, (name, value: unknown) => {
    if (LONG.includes(name)) return undefined;
    return name === 'allowed' && Array.isArray(value) ? value.slice(0, ALLOWED_MAX) : value;
  })
    .replaceAll(IDS, (_, before: string = '') => before + idBehind(before.replace(' ', 's/')))
    .replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{43,44}\b/g, keyOf)
    .replaceAll(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, AT)
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4020')
    .replaceAll(/\bwait \d+ s\b/g, 'wait 1 s')
    .replaceAll(/"retryAfterSeconds":\d+/g, '"retryAfterSeconds":1');
  return JSON.parse(text) as Refusal;
}
