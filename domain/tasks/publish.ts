import type { AcceptanceRule } from '../acceptance/rule.ts';
import { accountClass } from '../account.ts';
import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { iso, plus, seconds, wholeSecond } from '../instant.ts';
import type { Instant, Seconds } from '../instant.ts';
import { canonical } from '../json.ts';
import { bps, ZERO } from '../money.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import { termsDigest } from '../terms.ts';
import { refused } from './change.ts';
import type { Change, Refused } from './change.ts';
import {
  ATTEMPTS_DEFAULT,
  CRAWL_REQUESTS_MAX,
  DEADLINE_DEFAULT,
  DEADLINE_MAX,
  DEADLINE_MIN,
  DESCRIPTION_BYTES_MAX,
  DISPUTE_WINDOW_DEFAULT,
  HUB_BPS,
  INPUT_BYTES_MAX,
  JUDGES_BPS,
  REQUESTS_MAX,
  REWARD_MIN,
} from './limits.ts';
import type { TaskFile } from './files.ts';
import { invitationOf, invitationRefusal } from './invitation.ts';
import type { InvitationDraft } from './invitation.ts';
import { leaseRefusal, leaseTerms } from './lease.ts';
import { isPitch, isThread } from './model.ts';
import { privacyRefusal } from './privacy.ts';
import { sharesOf, sharesRefusal } from './shares.ts';
import type { SharesDraft } from './shares.ts';
import type {
  BonusPayout,
  Conduct,
  TaskTerms,
  Target,
  Task,
  TaskMode,
  Verification,
} from './model.ts';

/**
 * Turns a request into a task (T1). All defaults of choices tasks.publication are resolved here, so
 * a later default changes no stored digest.
 */
export interface Draft {
  readonly requester: Account;
  readonly title: string;
  readonly description?: string;
  readonly rewardAmount?: Atomic;
  readonly network: NetworkId;
  readonly acceptance?: AcceptanceRule;
  readonly verification?: Verification;
  readonly minReliabilityBps?: number;
  readonly mode?: TaskMode;
  readonly shares?: SharesDraft;
  readonly autoAcceptSeconds?: number;
  readonly disputeWindowSeconds?: number;
  readonly tags?: readonly string[];
  readonly requiredSkills?: readonly string[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly audience?: 'parties';
  readonly files?: readonly TaskFile[];
  readonly target?: Target;
  readonly conduct?: Partial<Conduct>;
  readonly maxAttempts?: number;
  readonly deadline?: Instant;
  readonly leaseSeconds?: number;
  readonly renewForSeconds?: number;
  readonly offeredTo?: InvitationDraft;
  /** The requester is one of the hub's scripted agents, which may use its tags. */
  readonly isHouse?: boolean;
  /** Only the house announces bonuses. */
  readonly payout?: BonusPayout;
}

export function publish(draft: Draft, id: string, now: Instant): Change | Refused {
  const deal = termsOf(draft, now);
  const refusal = termsRefusal(draft, deal, now);
  if (refusal !== undefined) return refusal;
  const change = opened(deal, id, now);
  return deal.reward === undefined ? change : { ...change, money: { step: 'escrow' } };
}

export function opened(deal: TaskTerms, id: string, now: Instant): Change {
  const task: Task = {
    ...deal,
    id,
    terms: { digest: digestOf(id, deal, 1), revision: 1 },
    state: 'open',
    attempts: 0,
    comments: 0,
    pitches: 0,
    amendments: 0,
    createdAt: now,
    judges: [],
  };
  return {
    task,
    attempts: [],
    events: [{ at: now, event: 'task.published', state: 'open', actor: task.requester }],
  };
}

export function digestOf(id: string, deal: TaskTerms, revision: number): string {
  return termsDigest({
    id,
    revision,
    requester: deal.requester,
    mode: deal.mode,
    title: deal.title,
    description: deal.description,
    requiredSkills: deal.requiredSkills,
    tags: deal.tags,
    ...defined({ input: deal.input, files: deal.files, reward: deal.reward }),
    ...defined({ audience: deal.audience }),
    fees: deal.fees,
    verification: deal.verification,
    ...defined({ acceptance: deal.acceptance, minReliabilityBps: deal.minReliabilityBps }),
    ...(deal.shares !== undefined && { shares: { ...deal.shares } }),
    ...defined({ lease: deal.lease }),
    ...(deal.clarifications && { clarifications: deal.clarifications.map(({ text }) => text) }),
    windows: deal.windows,
    ...defined({ target: deal.target }),
    ...(deal.conduct !== undefined && { conduct: conductDocument(deal.conduct) }),
    maxAttempts: deal.maxAttempts,
    deadline: deal.deadline,
  });
}

function conductDocument(conduct: Conduct): Readonly<Record<string, unknown>> {
  return { ...conduct, maxSpendAtomic: conduct.maxSpendAtomic.toString() };
}

export function termsOf(draft: Draft, now: Instant): TaskTerms {
  const tags = [...new Set((draft.tags ?? []).map((tag) => tag.toLowerCase()))];
  const shares = sharesOf(draft.shares, draft.acceptance !== undefined);
  const isDivided = shares !== undefined;
  const ruled = draft.acceptance !== undefined && !isDivided;
  const verification = draft.verification ?? (ruled ? 'automatic' : 'requester');
  const conduct = conductOf(draft, tags);
  const deadline = wholeSecond(draft.deadline ?? plus(now, DEADLINE_DEFAULT));
  return {
    requester: draft.requester,
    mode: draft.mode ?? (isDivided ? 'open' : 'exclusive'),
    verification,
    title: draft.title,
    description: draft.description ?? '',
    requiredSkills: draft.requiredSkills ?? [],
    tags,
    ...defined({ input: draft.input, files: draft.files, audience: draft.audience }),
    ...(draft.rewardAmount !== undefined && {
      reward: { amount: draft.rewardAmount, asset: 'USDC', network: draft.network },
    }),
    fees: { hubBps: HUB_BPS, judgesBps: verification === 'validator' ? JUDGES_BPS : bps(0) },
    ...defined({ acceptance: draft.acceptance, shares }),
    ...defined({ minReliabilityBps: draft.minReliabilityBps }),
    windows: {
      ...(draft.autoAcceptSeconds !== undefined && {
        autoAcceptSeconds: seconds(draft.autoAcceptSeconds),
      }),
      disputeWindowSeconds: windowOf(draft.disputeWindowSeconds ?? (isDivided ? 0 : undefined)),
    },
    ...defined({ target: draft.target, conduct, payout: draft.payout, lease: leaseTerms(draft) }),
    ...defined({ invited: invitationOf(draft.offeredTo, deadline) }),
    maxAttempts: draft.maxAttempts ?? ATTEMPTS_DEFAULT,
    deadline,
  };
}

function windowOf(given: number | undefined): Seconds {
  return given === undefined ? DISPUTE_WINDOW_DEFAULT : seconds(given);
}

/** Work at a site is bound to the standing rules unless the requester tightens them. */
function conductOf(draft: Draft, tags: readonly string[]): Conduct | undefined {
  if (draft.target === undefined && draft.conduct === undefined) return undefined;
  const requestsMax = tags.includes('crawl') ? CRAWL_REQUESTS_MAX : REQUESTS_MAX;
  return {
    robots: 'obey',
    methods: ['GET', 'HEAD'],
    minDelayMs: 1_000,
    credentials: 'none',
    maxSpendAtomic: ZERO,
    ...draft.conduct,
    maxRequests: Math.min(draft.conduct?.maxRequests ?? requestsMax, requestsMax),
  };
}

/** Why these terms cannot be published, in order of precedence. */
export function termsRefusal(draft: Draft, deal: TaskTerms, now: Instant): Refused | undefined {
  return (
    tooLarge(deal) ??
    deadlineRefusal(deal.deadline, now) ??
    leaseRefusal(deal, now) ??
    invitationRefusal(deal, now) ??
    rewardRefusal(deal) ??
    tagRefusal(draft, deal) ??
    sharesRefusal(draft.shares, deal) ??
    ruleRefusal(deal) ??
    judgesRefusal(deal) ??
    privacyRefusal(deal)
  );
}

function tooLarge(deal: TaskTerms): Refused | undefined {
  if (bytes(deal.description) > DESCRIPTION_BYTES_MAX) {
    const why = `The description is over ${DESCRIPTION_BYTES_MAX} bytes.`;
    return refused('body-too-large', why, { field: 'body.description' });
  }
  if (deal.input !== undefined && bytes(canonical(deal.input)) > INPUT_BYTES_MAX) {
    const why = `The input is over ${INPUT_BYTES_MAX} bytes.`;
    return refused('body-too-large', why, { field: 'body.input' });
  }
  return undefined;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function deadlineRefusal(
  deadline: Instant,
  now: Instant,
  field = 'body.deadline',
): Refused | undefined {
  // A deadline is cut to its second, so that of exactly the least time stays one.
  const first = wholeSecond(plus(now, DEADLINE_MIN));
  const last = plus(now, DEADLINE_MAX);
  if (deadline >= first && deadline <= last) return undefined;
  return refused('deadline', `The deadline must lie between ${iso(first)} and ${iso(last)}.`, {
    field,
  });
}

export function rewardRefusal(
  deal: Pick<TaskTerms, 'reward'>,
  field = 'body.rewardAmount',
): Refused | undefined {
  if (deal.reward === undefined || deal.reward.amount >= REWARD_MIN) return undefined;
  return refused('reward-too-small', `The least reward is ${REWARD_MIN} atomic units.`, { field });
}

/** Tags that mark tasks of the hub and of its scripted agents, alone or before a colon. */
const HOUSE_TAG = /^(?:starter|demand|trial|bonus|board|house|sandbox)(?::.*)?$/s;

function tagRefusal(draft: Draft, deal: TaskTerms): Refused | undefined {
  const tag = deal.tags.find((each) => HOUSE_TAG.test(each.normalize('NFKC').trim().toLowerCase()));
  if (tag !== undefined && accountClass(deal.requester) !== 'hub' && draft.isHouse !== true) {
    const why = `The tag ${tag} marks tasks of the hub itself; leave it out.`;
    const hint = 'Send the call again without this tag.';
    return refused('unknown-field-value', why, { field: 'body.tags', hint });
  }
  if (isThread(deal) && deal.reward !== undefined) {
    return refused('thread-only', 'A task tagged `thread` is a discussion and carries no reward.', {
      field: 'body.rewardAmount',
      hint: 'Send the call again without rewardAmount, or without the tag.',
    });
  }
  return isPitch(deal) && deal.mode === 'open' ? openPitch(deal) : undefined;
}

/** Shares make a task open by themselves, so without a mode it is they that do not fit. */
function openPitch({ shares }: TaskTerms): Refused {
  const why = 'A task tagged `pitch` is exclusive: one worker is chosen for it.';
  if (shares !== undefined) {
    const hint = 'Send the call again without shares, or without the tag.';
    return refused('wrong-mode', why, { field: 'body.shares', hint });
  }
  const hint = 'Send the call again without mode, or without the tag.';
  return refused('wrong-mode', why, { field: 'body.mode', allowed: ['exclusive'], hint });
}

function judgesRefusal(deal: TaskTerms): Refused | undefined {
  if (deal.minReliabilityBps === undefined || deal.verification === 'validator') return undefined;
  const why = `No panel judges a task whose verification is ${deal.verification}; send verification validator, or leave minReliabilityBps out.`;
  return refused('not-together', why, { field: 'body.minReliabilityBps' });
}

function ruleRefusal(deal: TaskTerms): Refused | undefined {
  if (deal.verification !== 'automatic' || deal.acceptance !== undefined) return undefined;
  return refused('acceptance-required', 'Automatic verification needs an acceptance rule.', {
    field: 'body.acceptance',
    allowed: ['all', 'json_schema', 'fields', 'contains', 'files'],
  });
}
