import type { Exchange } from './exchange.ts';

/** One answered request, as an operator counts it. */
export interface Observed {
  /** Operation of the contract, name of a door, or `none` when no route was found. */
  readonly operation: string;
  readonly status: number;
  /** Refusal code; empty when nothing was refused. */
  readonly code: string;
  readonly ms: number;
}
export type Observe = (observed: Observed) => void;
/** Wraps the whole of a request, to trace it through the process. */
export type TraceRequest = (exchange: Exchange, work: () => Promise<Observed>) => Promise<unknown>;
