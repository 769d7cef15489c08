import type { components } from '../../../generated/types.ts';
import { unitsOf } from '../format.ts';
import { isRecord, jsonOr, ruleOf, type Condition } from './conditions.ts';
import { placesOf, sharesOf, type Winners } from './shares.ts';
import { defined } from '../../../domain/defined.ts';

export type PublishRequest = components['schemas']['TasksPublishRequest'];

export interface TaskDraft {
  readonly title: string;
  readonly description: string;
  /** In USDC; empty for unpaid work. */
  readonly reward: string;
  readonly verification: NonNullable<PublishRequest['verification']>;
  /** Basis points of reliability that judges must reach; empty for any judge. */
  readonly reliability: string;
  /** `pitch` is exclusive work that the requester gives to one of the plans that are offered. */
  readonly mode: NonNullable<PublishRequest['mode']> | 'pitch';
  /** Who wins open work, and the percents of places. */
  readonly winners: Winners;
  readonly places: string;
  /** Seconds of silence that accept; empty for never. */
  readonly silence: string;
  readonly disputeWindow: string;
  /** Seconds until unclaimed work expires. */
  readonly lasts: string;
  /** Seconds of a claim without a sign of life, and for which it is renewed; empty for the hub's. */
  readonly lease: string;
  readonly renew: string;
  /** Accounts that may claim first, with commas between; only of work for one worker. */
  readonly offeredTo: string;
  /** Seconds for which they alone may claim it; empty until the deadline. */
  readonly offeredFor: string;
  readonly offeredThen: string;
  /** With commas between. */
  readonly skills: string;
  /** With commas between. */
  readonly tags: string;
  /** The site that the work is about, or empty; a path in it is kept as one. */
  readonly target: string;
  readonly attempts: string;
  /** A JSON object for the worker, or empty. */
  readonly input: string;
  /** `everyone` or `parties`; open work has no parties before it is done. */
  readonly audience: string;
  readonly conditions: readonly Condition[];
  readonly good: string;
  readonly bad: string;
}

export const EMPTY_DRAFT: TaskDraft = {
  title: '',
  description: '',
  reward: '',
  verification: 'requester',
  reliability: '',
  mode: 'exclusive',
  winners: 'one',
  places: '60, 30, 10',
  silence: '86400',
  disputeWindow: '86400',
  lasts: '604800',
  lease: '',
  renew: '',
  offeredTo: '',
  offeredFor: '86400',
  offeredThen: 'open',
  skills: '',
  tags: '',
  target: '',
  attempts: '3',
  input: '',
  audience: 'everyone',
  conditions: [],
  good: '',
  bad: '',
};

export type DraftFault =
  | 'title'
  | 'reward'
  | 'input'
  | 'tags'
  | 'target'
  | 'conditions'
  | 'places'
  | 'lease'
  | 'renew'
  | 'offeredTo'
  | 'offeredFor'
  | 'rule';

/** Only a reward of open work has several winners. */
export function isDivided({ mode, winners, reward }: TaskDraft): boolean {
  return mode === 'open' && winners !== 'one' && (unitsOf(reward) ?? '0') !== '0';
}

/** As the contract takes them. */
const TAG = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,39}$/;
const ACCOUNT = /^((key:)?[1-9A-HJ-NP-Za-km-z]{32,44}|evm:0x[0-9a-f]{40})$/;
const OFFERED_MAX = 20;
const wordsOf = (text: string): string[] => text.split(',').flatMap((each) => each.trim() || []);

/** Each account once, as it was typed. */
export const accountsOf = (text: string): string[] => [...new Set(wordsOf(text))];

/** The fault of what only work for one worker has, in the order of the form. */
function exclusiveFault(draft: TaskDraft): DraftFault | undefined {
  if (draft.mode === 'open') return undefined;
  const [lasts, lease, renew, offered] = [
    draft.lasts,
    draft.lease,
    draft.renew,
    draft.offeredFor,
  ].map(Number) as [number, number, number, number];
  const accounts = draft.mode === 'exclusive' ? accountsOf(draft.offeredTo) : [];
  if (accounts.length > OFFERED_MAX || !accounts.every((each) => ACCOUNT.test(each))) {
    return 'offeredTo';
  }
  if (accounts.length > 0 && offered >= lasts) return 'offeredFor';
  if (lease >= lasts) return 'lease';
  return renew > 0 && renew < lease ? 'renew' : undefined;
}

/** The part of the request that only work for one worker has. */
function exclusiveTerms(draft: TaskDraft, now: number) {
  if (draft.mode === 'open') return {};
  const accounts = draft.mode === 'exclusive' ? accountsOf(draft.offeredTo) : [];
  const until = new Date(now + Number(draft.offeredFor) * 1000).toISOString();
  return {
    ...(draft.lease !== '' && { leaseSeconds: Number(draft.lease) }),
    ...(draft.renew !== '' && { renewForSeconds: Number(draft.renew) }),
    ...(draft.audience === 'parties' && { audience: 'parties' as const }),
    ...(accounts.length > 0 && {
      offeredTo: {
        accounts,
        ...(draft.offeredFor !== '' && { until }),
        ...(draft.offeredThen === 'withdrawn' && { then: 'withdrawn' as const }),
      },
    }),
  };
}

/** The origin of an address, with its path unless that is the whole site. */
function targetOf(text: string): PublishRequest['target'] {
  if (!/^https?:\/\//.test(text.trim()) || !URL.canParse(text.trim())) return undefined;
  const { origin, pathname } = new URL(text.trim());
  return pathname === '/' ? { origin } : { origin, paths: [pathname] };
}

/** Returns the first fault that prevents publication, in the order of the form. */
export function faultOf(draft: TaskDraft): DraftFault | undefined {
  const { rule, faults } = ruleOf(draft.conditions);
  if (draft.title.trim() === '') return 'title';
  if (draft.reward !== '' && unitsOf(draft.reward) === undefined) return 'reward';
  if (draft.input.trim() !== '' && !isRecord(jsonOr(draft.input, undefined))) return 'input';
  if (wordsOf(draft.tags).some((tag) => !TAG.test(tag))) return 'tags';
  if (draft.target.trim() !== '' && targetOf(draft.target) === undefined) return 'target';
  if (faults.some((fault) => fault !== undefined)) return 'conditions';
  if (isDivided(draft)) {
    const isWrong = draft.winners === 'places' && placesOf(draft.places) === undefined;
    return isWrong ? 'places' : undefined;
  }
  if (draft.verification === 'automatic' && rule === undefined) return 'rule';
  return exclusiveFault(draft);
}

/** The request of a draft without a fault, at a time in milliseconds. */
export function requestOf(
  draft: TaskDraft,
  requester: string,
  network: string,
  now: number,
): PublishRequest {
  const { description, mode, lasts } = draft;
  const divided = isDivided(draft);
  const verification = divided ? 'requester' : draft.verification;
  const silence = divided ? '' : draft.silence;
  const disputeWindow = divided ? '0' : draft.disputeWindow;
  const shares = divided ? sharesOf(draft.winners, draft.places) : undefined;
  const { rule } = ruleOf(draft.conditions);
  const rewardAmount = unitsOf(draft.reward);
  const requiredSkills = wordsOf(draft.skills);
  const tags = [...new Set([...wordsOf(draft.tags), ...(mode === 'pitch' ? ['pitch'] : [])])];
  const target = targetOf(draft.target);
  const input = jsonOr(draft.input, undefined);
  return {
    requester,
    title: draft.title.trim(),
    verification,
    mode: mode === 'pitch' ? 'exclusive' : mode,
    network,
    disputeWindowSeconds: Number(disputeWindow),
    deadline: new Date(now + Number(lasts) * 1000).toISOString(),
    ...(description !== '' && { description }),
    ...defined({ rewardAmount, shares }),
    ...(rule !== undefined && { acceptance: rule }),
    ...(verification === 'validator' &&
      draft.reliability !== '' && { minReliabilityBps: Number(draft.reliability) }),
    ...(silence !== '' && { autoAcceptSeconds: Number(silence) }),
    ...(draft.attempts !== EMPTY_DRAFT.attempts && { maxAttempts: Number(draft.attempts) }),
    ...(tags.length > 0 && { tags }),
    ...defined({ target }),
    ...(requiredSkills.length > 0 && { requiredSkills }),
    ...(isRecord(input) && { input }),
    ...exclusiveTerms(draft, now),
  };
}
