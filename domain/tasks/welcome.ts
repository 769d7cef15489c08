import { WELCOME_JOBS } from './limits.ts';

/**
 * Progress to the welcome bonus (choices bonuses.welcome). Invariant: only the two conditions of
 * the interface count. The money of a day bounds sybils, so an account that meets both may be
 * delayed but is never refused.
 */
export interface WelcomeFacts {
  /** Accepted jobs for others on test networks. */
  readonly jobs: number;
  readonly trialPassed: boolean;
  readonly paid: boolean;
  /** The paying account has the next bonus. */
  readonly funded: boolean;
}

export type WelcomeState = 'earning' | 'trial-needed' | 'queued' | 'paid' | 'unfunded';

export function welcomeState({ jobs, trialPassed, paid, funded }: WelcomeFacts): WelcomeState {
  if (paid) return 'paid';
  if (jobs < WELCOME_JOBS) return 'earning';
  if (!trialPassed) return 'trial-needed';
  return funded ? 'queued' : 'unfunded';
}
