import type { MessagePort } from 'node:worker_threads';

/** What the hub and its counting worker say to each other. */
export interface CounterStart {
  readonly port: MessagePort;
}
export interface CounterRequest {
  readonly id: number;
  readonly encoding: 'o200k_base' | 'cl100k_base';
  readonly texts: readonly string[];
}
export interface CounterReply {
  readonly id: number;
  /** Absent when it could not be counted. */
  readonly tokens?: number;
  readonly why?: string;
}
