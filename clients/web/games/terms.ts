import { unitsOf } from '../format.ts';
import { marketTexts as M } from '../texts/markets.ts';
import type { components } from '../../../generated/types.ts';

type Check = components['schemas']['MarketCheck'];
type Metric = Check['metric'];

export const EMPTY = {
  decides: 'judge',
  question: '',
  source: '',
  seconds: '86400',
  metric: 'tasks.open',
  op: 'gte',
  value: '',
  outcome: 'coin',
};
export type Draft = typeof EMPTY;

/** The source of a market contains this word when the sandbox agents may take part. */
const TRY = '[try]';
/** Numbers that are money: a person types USDC, and the check takes atomic units. */
const MONEY: readonly string[] = [
  'volume.settled.24h',
  'fees.pool',
  'supply.total',
  'calls.volume.24h',
];
const QUESTION_MIN = 10;

export const isMoney = (metric: string): boolean => MONEY.includes(metric);

/** The terms of a whole draft; undefined while something is missing. */
export function termsOf(draft: Draft, now: number) {
  const closesAt = new Date(now + Number(draft.seconds) * 1000).toISOString();
  if (draft.decides === 'check') {
    const check = checkOf(draft);
    if (check === undefined) return undefined;
    const { metric, op } = check;
    const question = M.numberQuestion(M.metrics[metric], M.ops[op], draft.value.trim());
    return { question, source: M.numberSource(metric), closesAt, check };
  }
  const question = draft.question.trim();
  if (question.length < QUESTION_MIN) return undefined;
  if (draft.decides === 'house') {
    const word = draft.outcome === 'coin' ? '' : ` [${draft.outcome}]`;
    const source = `${M.houseSource} ${TRY}${word}`;
    return { question, source, closesAt, network: 'sandbox' };
  }
  const source = draft.source.trim();
  return source === '' ? undefined : { question, source, closesAt };
}

function checkOf({ metric, op, value }: Draft): Check | undefined {
  if (!isMetric(metric) || !isOp(op)) return undefined;
  const plain = value.trim().replaceAll(',', '');
  const units = isMoney(metric) ? unitsOf(value) : /^\d{1,18}$/.test(plain) ? plain : undefined;
  return units === undefined ? undefined : { metric, op, value: String(BigInt(units)) };
}

const isMetric = (name: string): name is Metric => Object.hasOwn(M.metrics, name);
const isOp = (name: string): name is Check['op'] => Object.hasOwn(M.ops, name);
