import type { Account, KeyId } from '../account.ts';
import type { EventCursor } from '../eventCursor.ts';
import type { Instant } from '../instant.ts';

/**
 * An address that the events of an account are sent to, in order (choices webhooks.order). Everything
 * before `cursor` is settled: delivered, a dead letter, of a kind that was not asked for, or skipped.
 */
export interface Webhook {
  readonly id: string;
  readonly account: Account;
  readonly url: string;
  /** Kinds of events, or their first words; empty for all. */
  readonly types: readonly string[];
  readonly state: WebhookState;
  readonly why: string | undefined;
  readonly createdAt: Instant;
  readonly cursor: EventCursor;
  /** Events that were no longer kept when their turn came. */
  readonly dropped: number;
  /** Failed attempts of the next event. */
  readonly failures: number;
  /** The sequence of that event: it stays the next one, whatever the other sequences get. */
  readonly failedSequence: string | undefined;
  readonly nextAt: Instant;
  readonly failingSince: Instant | undefined;
  /** The duration of attempts, averaged over the last few. */
  readonly paceMs: number;
  readonly keys: SigningKeys;
  readonly former: (SigningKeys & { readonly until: Instant }) | undefined;
  /** The key that made it, or changed where it sends or what signs it last: it ends with that key. */
  readonly madeBy: KeyId | undefined;
  /** Grows when its owner changes it, so that an attempt under way does not undo the change. */
  readonly revision: number;
}

export type WebhookState = 'active' | 'paused' | 'disabled';

/** Signing keys are derived from a key of the hub and from how often they were replaced. */
export interface SigningKeys {
  readonly keyId: KeyId;
  readonly version: number;
}

export type DeliveryOutcome = 'delivered' | 'failed' | 'dead';

export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly account: Account;
  readonly messageId: string;
  readonly kind: string;
  readonly outcome: DeliveryOutcome;
  readonly attempt: number;
  readonly status?: number;
  readonly fault?: string;
  readonly durationMs: number;
  readonly at: Instant;
  readonly body: string;
}

export const WEBHOOKS_MAX = 10;

/** The pace above which a webhook is served apart from the quick ones. */
export const SLOW_MS = 1_000;

export function wants({ types }: Pick<Webhook, 'types'>, kind: string): boolean {
  return types.length === 0 || types.some((type) => type === kind || kind.startsWith(`${type}.`));
}
