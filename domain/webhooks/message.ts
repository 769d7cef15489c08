import type { Account } from '../account.ts';
import { sha256Hex } from '../digest.ts';

/** A message in the form of Standard Webhooks 1.0.0. */
export interface Message {
  /** The `webhook-id`; the same in every attempt and replay of an event. */
  readonly id: string;
  readonly kind: string;
  readonly body: string;
}

const ID_LENGTH = 32;

/** The id of an event: its account, the sequence that counts it, and its number there. */
export function messageId(account: Account, sequence: string, number: number): string {
  return `msg_${sha256Hex(`${account} ${sequence} ${number}`).slice(0, ID_LENGTH)}`;
}

export function signedText({ id, body }: Message, seconds: number): string {
  return `${id}.${seconds}.${body}`;
}
