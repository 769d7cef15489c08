import type { Instant } from '../instant.ts';

/**
 * Finds the gaps in a market's wording: one reading of one source at one moment decides it, and
 * doubt ends in a void or a quarrel. This is only advice and refuses nothing.
 */
type Concern = 'source' | 'moment' | 'two-answers' | 'look-alike';

export interface Advice {
  readonly concern: Concern;
  readonly says: string;
  /** The open market that it resembles; with `look-alike`. */
  readonly marketId?: string;
}

export interface Wording {
  readonly question: string;
  readonly source: string;
  readonly closesAt: Instant;
  readonly isChecked: boolean;
}

const ADDRESS = /https?:\/\/\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b/i;
const DAY =
  /\b\d{4}-\d{2}-\d{2}(?:\b|T)|\b\d{1,2}(?:st|nd|rd|th)?\.? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b/i;
const HOUR = /(?:\b|T)\d{1,2}:\d{2}(?:\b|Z)|\b\d{1,2} ?(?:am|pm)\b|\bnoon\b|\bmidnight\b/i;
/** A bare offset stands behind a time of day: "10-1200" is a range. */
const ZONE = /\b(?:UTC|GMT|Z)\b|\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)? ?(?:Z|[+-]\d{2}:?\d{2})\b/i;
const VAGUE =
  /\b(soon|significant(?:ly)?|major|substantial(?:ly)?|popular|successful(?:ly)?|likely|roughly|about|around|better|worse|good|bad|best|most people|widely|often|a lot)\b/i;
const TWO_QUESTIONS = /\b(?:and\/or|and|or)\b/i;
const WORD = /[\p{L}\p{N}]+/gu;
/** Two questions with this part of their words in common are taken for one. */
const ALIKE = 0.7;

export function rehearse(
  { question, source, isChecked }: Wording,
  open: readonly { readonly id: string; readonly question: string }[],
): readonly Advice[] {
  const advice: Advice[] = [];
  if (!isChecked) {
    advice.push(...aboutSource(source), ...aboutMoment(question), ...aboutAnswers(question));
  }
  for (const { id, question: other } of open) {
    if (similarity(question, other) < ALIKE) continue;
    const says = 'An open market asks nearly the same; two of them split the pot.';
    advice.push({ concern: 'look-alike', says, marketId: id });
  }
  return advice;
}

function aboutSource(source: string): readonly Advice[] {
  if (ADDRESS.test(source)) return [];
  const says =
    'The source names no address. Say the page or feed, and which reading of it means yes.';
  return [{ concern: 'source', says }];
}

function aboutMoment(question: string): readonly Advice[] {
  const missing = [
    ...(DAY.test(question) ? [] : ['the day']),
    ...(HOUR.test(question) ? [] : ['the time of day']),
    ...(ZONE.test(question) ? [] : ['the time zone']),
  ];
  if (missing.length === 0) return [];
  return [{ concern: 'moment', says: `The question leaves open ${missing.join(', ')}.` }];
}

function aboutAnswers(question: string): readonly Advice[] {
  const advice: Advice[] = [];
  const vague = VAGUE.exec(question)?.[1];
  if (vague !== undefined) {
    const says = `"${vague}" has no measure: two judges may answer differently. Name a number.`;
    advice.push({ concern: 'two-answers', says });
  }
  const joined = TWO_QUESTIONS.exec(question)?.[0];
  if (joined !== undefined) {
    const says = `"${joined}" joins two conditions; say what happens when only one is true.`;
    advice.push({ concern: 'two-answers', says });
  }
  if (!question.trimEnd().endsWith('?')) {
    const says = 'It does not end as a question that yes or no answers.';
    advice.push({ concern: 'two-answers', says });
  }
  return advice;
}

export function similarity(a: string, b: string): number {
  const [mine, theirs] = [wordsOf(a), wordsOf(b)];
  const shared = [...mine].filter((word) => theirs.has(word)).length;
  const all = mine.size + theirs.size - shared;
  return all === 0 ? 0 : shared / all;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.normalize('NFC').toLowerCase().match(WORD) ?? []);
}
