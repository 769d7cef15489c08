import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';

/** Decisions of the operator (choices operator.moderation): never deleted, moving no money. */
export const HIDEABLE = [
  'listing',
  'passport',
  'task',
  'chain',
  'comment',
  'pitch',
  'solution',
  'market',
  'table',
  'report',
] as const;
export type Hideable = (typeof HIDEABLE)[number];

export interface Subject {
  readonly subject: Hideable | 'account';
  readonly subjectId: string;
}

export interface Decision extends Subject {
  readonly id: string;
  readonly kind: 'ban' | 'hide';
  /** The account that was banned, or that published the subject; undefined if it has none. */
  readonly account: Account | undefined;
  readonly reason: string;
  readonly at: Instant;
  readonly liftedAt?: Instant;
  readonly appeal?: Remark;
  readonly answer?: Remark;
}

export interface Remark {
  readonly text: string;
  readonly at: Instant;
}

export const REASON_LENGTH_MAX = 1_000;
export const ANSWER_LENGTH_MAX = 2_000;

/** A decision is appealed once, while it stands. */
export function isAppealable({ liftedAt, appeal }: Decision): boolean {
  return liftedAt === undefined && appeal === undefined;
}
