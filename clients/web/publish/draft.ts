import type { components } from '../../typescript/index.ts';
import { unitsOf } from '../format.ts';
import { isRecord, jsonOr, ruleOf, type Condition } from './conditions.ts';

/** A task as a person types it, and the request that it makes. */
export type PublishRequest = components['schemas']['TasksPublishRequest'];

export interface TaskDraft {
  readonly title: string;
  readonly description: string;
  /** In USDC; empty for unpaid work. */
  readonly reward: string;
  readonly verification: NonNullable<PublishRequest['verification']>;
  /** `pitch` is exclusive work that the requester gives to one of the plans that are offered. */
  readonly mode: NonNullable<PublishRequest['mode']> | 'pitch';
  /** Seconds of silence that accept; empty for never. */
  readonly silence: string;
  readonly disputeWindow: string;
  /** Seconds until unclaimed work expires. */
  readonly lasts: string;
  /** With commas between. */
  readonly skills: string;
  /** A JSON object for the worker, or empty. */
  readonly input: string;
  readonly conditions: readonly Condition[];
  readonly good: string;
  readonly bad: string;
}

export const EMPTY_DRAFT: TaskDraft = {
  title: '',
  description: '',
  reward: '',
  verification: 'requester',
  mode: 'exclusive',
  silence: '86400',
  disputeWindow: '86400',
  lasts: '604800',
  skills: '',
  input: '',
  conditions: [],
  good: '',
  bad: '',
};

export type DraftFault = 'title' | 'reward' | 'input' | 'conditions' | 'rule';

/** What keeps the draft from being published, in the order of the form. */
export function faultOf(draft: TaskDraft): DraftFault | undefined {
  const { rule, faults } = ruleOf(draft.conditions);
  if (draft.title.trim() === '') return 'title';
  if (draft.reward !== '' && unitsOf(draft.reward) === undefined) return 'reward';
  if (draft.input.trim() !== '' && !isRecord(jsonOr(draft.input, undefined))) return 'input';
  if (faults.some((fault) => fault !== undefined)) return 'conditions';
  return draft.verification === 'automatic' && rule === undefined ? 'rule' : undefined;
}

/** The request of a draft without a fault, at a time in milliseconds. */
export function requestOf(
  draft: TaskDraft,
  requester: string,
  network: string,
  now: number,
): PublishRequest {
  const { description, verification, mode, silence, disputeWindow, lasts } = draft;
  const { rule } = ruleOf(draft.conditions);
  const rewardAmount = unitsOf(draft.reward);
  const requiredSkills = draft.skills.split(',').flatMap((each) => each.trim() || []);
  const input = jsonOr(draft.input, undefined);
  return {
    requester,
    title: draft.title.trim(),
    verification,
    ...(mode === 'pitch' ? { mode: 'exclusive', tags: ['pitch'] } : { mode }),
    network,
    disputeWindowSeconds: Number(disputeWindow),
    deadline: new Date(now + Number(lasts) * 1000).toISOString(),
    ...(description !== '' && { description }),
    ...(rewardAmount !== undefined && { rewardAmount }),
    ...(rule !== undefined && { acceptance: rule }),
    ...(silence !== '' && { autoAcceptSeconds: Number(silence) }),
    ...(requiredSkills.length > 0 && { requiredSkills }),
    ...(isRecord(input) && { input }),
  };
}
