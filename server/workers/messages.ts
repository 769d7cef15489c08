import type { PortName } from './ports.ts';

/** The metrics of one process, as the metrics library gives and takes them. */
export type Families = readonly object[];

/** A worker's place among those of one hub; its replacement has the same. */
export interface Place {
  /** From 1. */
  readonly number: number;
  readonly count: number;
}

export type ToWorker =
  | {
      readonly kind: 'begin';
      readonly place: Place;
      /** `host:port` at which the parent listens. */
      readonly listens: string;
      /** The scripted agents, which run in the parent. */
      readonly agents?: { readonly pairs: readonly string[]; readonly accounts: readonly string[] };
    }
  /** Comes with the connection. */
  | { readonly kind: 'connection'; readonly port: PortName; readonly id: number }
  | { readonly kind: 'stop'; readonly signal: 'SIGTERM' | 'SIGINT' }
  /** Another worker has its place: it gets nothing more, and ends with its last connection. */
  | { readonly kind: 'retire' }
  | { readonly kind: 'report'; readonly ask: number }
  | { readonly kind: 'gathered'; readonly ask: number; readonly reports: readonly Families[] };

export type ToParent =
  | { readonly kind: 'hello' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'took'; readonly id: number }
  | { readonly kind: 'alive'; readonly connections: number }
  /** It takes no connection more. */
  | { readonly kind: 'leaving' }
  /** Asks for the metrics of all workers. */
  | { readonly kind: 'gather'; readonly ask: number }
  | { readonly kind: 'reported'; readonly ask: number; readonly families: Families };
