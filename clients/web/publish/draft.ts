import type { components } from '../../../generated/types.ts';
import { unitsOf } from '../format.ts';
import { isRecord, jsonOr, ruleOf, type Condition } from './conditions.ts';
import { placesOf, sharesOf, type Winners } from './shares.ts';

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
  /** Of open work: who wins, and the percents of places. */
  readonly winners: Winners;
  readonly places: string;
  /** Seconds of silence that accept; empty for never. */
  readonly silence: string;
  readonly disputeWindow: string;
  /** Seconds until unclaimed work expires. */
  readonly lasts: string;
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
  'title' | 'reward' | 'input' | 'tags' | 'target' | 'conditions' | 'places' | 'rule';

/** Only a reward of open work has several winners. */
export function isDivided({ mode, winners, reward }: TaskDraft): boolean {
  return mode === 'open' && winners !== 'one' && (unitsOf(reward) ?? '0') !== '0';
}

/** As the contract takes them. */
const TAG = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,39}$/;
const wordsOf = (text: string): string[] => text.split(',').flatMap((each) => each.trim() || []);

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
  return draft.verification === 'automatic' && rule === undefined ? 'rule' : undefined;
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
    ...(rewardAmount !== undefined && { rewardAmount }),
    ...(shares !== undefined && { shares }),
    ...(rule !== undefined && { acceptance: rule }),
    ...(verification === 'validator' &&
      draft.reliability !== '' && { minReliabilityBps: Number(draft.reliability) }),
    ...(silence !== '' && { autoAcceptSeconds: Number(silence) }),
    ...(draft.attempts !== EMPTY_DRAFT.attempts && { maxAttempts: Number(draft.attempts) }),
    ...(tags.length > 0 && { tags }),
    ...(target !== undefined && { target }),
    ...(requiredSkills.length > 0 && { requiredSkills }),
    ...(isRecord(input) && { input }),
    ...(draft.audience === 'parties' && mode !== 'open' && { audience: 'parties' as const }),
  };
}
