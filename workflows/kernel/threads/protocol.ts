import type { MessagePort } from 'node:worker_threads';

export interface ThreadStart {
  readonly port: MessagePort;
}
export interface ThreadRequest {
  readonly id: number;
  readonly task: unknown;
}
export type ThreadReply =
  | { readonly is: 'done'; readonly id: number; readonly answer: unknown }
  | { readonly is: 'fault'; readonly id: number; readonly why: string };
