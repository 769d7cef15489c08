import type { Cluster } from './patroni.ts';

/** The parts of a scenario: the nodes, a folder of its own, and how long it may take. */
export interface Parts {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly isLong: boolean;
  say(what: string, value: string | number): void;
}

/** Fails by throwing. It stops what it started; the cluster is whole again when it ends. */
export type Scenario = (parts: Parts) => Promise<void>;
