import type { Account } from '../account.ts';
import { isObject } from '../jsonObject.ts';
import { shorten } from '../text.ts';
import type { Refusal, Verdict } from '../acceptance/rule.ts';
import { sha256Hex } from '../digest.ts';
import { plus, seconds } from '../instant.ts';
import type { Instant } from '../instant.ts';
import type { NetworkId } from '../network.ts';
import { TRIAL_TIME } from './limits.ts';
import { BOARD_ACCOUNT } from './model.ts';
import type { Draft } from './publish.ts';

/**
 * The entrance trial (choices bonuses.trials): a new document, five facts to read and a digest to
 * compute. Invariant: the task shows a result's form, never its values, so only a reader passes.
 */
export interface TrialPaper {
  readonly text: string;
  readonly answers: TrialAnswers;
}
export type TrialAnswers = Readonly<Record<AnswerName, string>>;

const ANSWER_NAMES = ['number', 'customer', 'issued', 'total', 'reference', 'digest'] as const;
type AnswerName = (typeof ANSWER_NAMES)[number];

const SELLERS = ['Harlan Supply', 'North Quay Print', 'Ostrava Tools', 'Blue Ledger', 'Vale & Co'];
const CUSTOMERS = ['Meridian Foods', 'Castor Labs', 'Aldgate School', 'Tern Shipping', 'Ikola Oy'];
const GOODS = ['paper rolls', 'toner', 'gaskets', 'cable drums', 'filters', 'pallets', 'labels'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Chance for one paper, two bytes a pick. */
export const PAPER_BYTES = 40;

/** A paper made from random bytes; the same bytes make the same paper. */
export function trialPaper(random: Uint8Array): TrialPaper {
  const pick = pickerOf(random);
  const from = <T>(list: readonly T[], place: number): T => list[place % list.length] as T;
  const seller = from(SELLERS, pick(SELLERS.length));
  const customer = `${from(CUSTOMERS, pick(CUSTOMERS.length))} ${pick(900) + 100}`;
  const number = `${LETTERS[pick(LETTERS.length)] ?? 'A'}${pick(90) + 10}-${pick(9_000) + 1_000}`;
  const reference = `PO-${pick(90_000) + 10_000}`;
  const [year, month, day] = [2020 + pick(7), pick(12), pick(28) + 1];
  const lines = [pick(7), pick(7)].map((first) => {
    const [count, cents] = [pick(8) + 2, pick(4_000) + 150];
    return { goods: from(GOODS, first), count, cents, sum: count * cents };
  });
  const total = lines.reduce((sum, line) => sum + line.sum, 0);
  const text = [
    `${seller}: invoice ${number}, replaces offer ${reference.replace('PO', 'OF')}`,
    `Issued on ${day} ${from(MONTHS, month)} ${year} to ${customer} for order ${reference}.`,
    ...lines.map((line) => `${line.count} x ${line.goods} at ${money(line.cents)}`),
    `To pay: ${money(total)} within ${pick(40) + 10} days.`,
  ].join('\n');
  const issued = [year, two(month + 1), two(day)].join('-');
  const answers = { number, customer, issued, total: money(total), reference };
  return { text, answers: { ...answers, digest: sha256Hex(text) } };
}

function pickerOf(random: Uint8Array): (below: number) => number {
  const view = new DataView(random.buffer, random.byteOffset, random.byteLength);
  let at = 0;
  // The bias of a remainder does not matter here: a paper has to be new, not drawn fairly.
  return (below) => {
    const value = view.getUint16(at) % below;
    at = (at + 2) % (random.byteLength - 1);
    return value;
  };
}

function money(cents: number): string {
  return `${Math.floor(cents / 100)}.${two(cents % 100)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

export function trialDraft(
  account: Account,
  paper: TrialPaper,
  network: NetworkId,
  now: Instant,
): Draft {
  return {
    requester: BOARD_ACCOUNT,
    title: 'Entrance trial',
    description:
      `Read input.document and deliver an object with six texts. number: of the invoice. customer: ` +
      `whom it was issued to, as written. issued: the date as YYYY-MM-DD. total: the amount to pay, ` +
      `such as 12.50. reference: of the order. digest: SHA-256 of the UTF-8 bytes of input.document, ` +
      `in lower-case hex. There is one delivery, and ${TRIAL_TIME / 60} minutes for it.`,
    network,
    input: { account, document: paper.text },
    acceptance: {
      kind: 'fields',
      checks: ANSWER_NAMES.map((name) => ({
        path: `/${name}`,
        minLength: name === 'digest' ? 64 : 1,
      })),
    },
    verification: 'automatic',
    mode: 'exclusive',
    disputeWindowSeconds: seconds(0),
    maxAttempts: 1,
    tags: ['trial'],
    deadline: plus(now, TRIAL_TIME),
  };
}

/** Judges a result of the right shape by the paper's answers. */
export function judgeTrial(answers: TrialAnswers, result: unknown): Verdict {
  const given = isObject(result) ? result : {};
  const refused = ANSWER_NAMES.filter((name) => given[name] !== answers[name]).map((name) =>
    wrong(name, given[name]),
  );
  return refused.length === 0 ? { accepted: true } : { accepted: false, refused };
}

/** Says which answer is wrong and not what is right: the next trial has another paper. */
function wrong(name: AnswerName, got: unknown): Refusal {
  const shown = shorten(typeof got === 'string' ? got : JSON.stringify(got ?? null), 80);
  return {
    path: `/${name}`,
    rule: 'trial.answer',
    expected: 'what the document says',
    got: shown,
    text: `/${name}: not what the document says (trial.answer)`,
  };
}
