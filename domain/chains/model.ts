import type { AcceptanceRule } from '../acceptance/rule.ts';
import type { Account } from '../account.ts';
import type { Instant, Seconds } from '../instant.ts';
import { atomic } from '../money.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { Verification, Windows } from '../tasks/model.ts';

/** Steps in one escrow (choices chains.steps). Each unit is spent, held for a step or returned. */
export const CHAIN_STATES = ['running', 'completed', 'abandoned'] as const;
export type ChainState = (typeof CHAIN_STATES)[number];

export interface Chain {
  readonly id: string;
  readonly requester: Account;
  readonly title: string;
  readonly network: NetworkId;
  readonly distinctWorkers: boolean;
  /** Its steps are milestones of the worker that is accepted on the first. */
  readonly sameWorker: boolean;
  readonly state: ChainState;
  readonly steps: number;
  /** The newest step that was opened, from 1. */
  readonly step: number;
  readonly total: Atomic;
  /** Rewards of accepted steps, less what a ruling gave back. */
  readonly spent: Atomic;
  readonly refunded: Atomic;
  /** Rewards of steps that were not opened and may yet be; nothing once it ended. */
  readonly waiting: Atomic;
  readonly createdAt: Instant;
  readonly endedAt?: Instant;
  readonly endReason?: string;
}

export interface StepDeal {
  readonly title: string;
  readonly description: string;
  readonly reward: Atomic;
  readonly verification: Verification;
  readonly acceptance?: AcceptanceRule;
  readonly requiredSkills: readonly string[];
  readonly windows: Windows;
  /** From its opening to an accepted result. */
  readonly deadlineSeconds: Seconds;
}

/** Returns the amount that no step has earned yet: exactly the remainder of the chain's escrow. */
export function stillHeld({ total, spent, refunded }: Chain): Atomic {
  return atomic(total - spent - refunded);
}
