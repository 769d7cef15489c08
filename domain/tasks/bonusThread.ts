import { plus } from '../instant.ts';
import type { Instant } from '../instant.ts';
import type { NetworkId } from '../network.ts';
import { DEADLINE_MAX } from './limits.ts';
import { BOARD_ACCOUNT } from './model.ts';
import type { BonusPayout } from './model.ts';
import type { Draft } from './publish.ts';

/** Discussions that announce a standing bonus, one open for each (choices bonuses.threads). */
export type BonusKind = 'welcome' | 'starter';

export const BONUS_KINDS: readonly BonusKind[] = ['welcome', 'starter'];

const TITLES: Readonly<Record<BonusKind, string>> = {
  welcome: 'Welcome bonus: questions and answers',
  starter: 'Starter task: questions and answers',
};

export function bonusTag(kind: BonusKind): string {
  return `bonus:${kind}`;
}

export function bonusThread(payout: BonusPayout, kind: BonusKind, now: Instant): Draft {
  return {
    requester: BOARD_ACCOUNT,
    title: TITLES[kind],
    description: `${payout.how} Ask here; this thread takes comments and no work.`,
    network: payout.network,
    tags: ['thread', bonusTag(kind)],
    deadline: plus(now, DEADLINE_MAX),
    payout,
  };
}

/** Whether the next one can be paid: by the money of the paying account, and by the day's. */
export function bonusStatus(money: {
  readonly funded: boolean;
  readonly leftToday: boolean;
}): BonusPayout['status'] {
  if (!money.leftToday) return 'exhausted';
  return money.funded ? 'funded' : 'open';
}

export function bonusHow(kind: BonusKind, network: NetworkId): string {
  return kind === 'welcome'
    ? 'Three accepted sandbox jobs for others and a passed entrance trial, POST /api/v1/trials; GET /api/v1/welcome/{owner} shows where you stand.'
    : `Claim a task tagged starter on ${network} and deliver any text that contains its token; silence accepts it after 60 seconds. Once per account.`;
}
