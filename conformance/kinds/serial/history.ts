import type { Account } from '../../../domain/account.ts';

/** A round of `npm run serial`: the work of one process. */
export interface Round {
  readonly accounts: readonly Account[];
  /** The number of the first client of this process; each has one call at a time. */
  readonly firstClient: number;
  readonly clients: number;
  readonly calls: number;
}

/** Nanoseconds of the machine's clock that only goes forward, which all processes share. */
export interface Begun {
  readonly client: number;
  readonly at: number;
  /** A payment between accounts by their places; absent in a look at all balances. */
  readonly pay?: { readonly from: number; readonly to: number; readonly amount: number };
}

export interface Ended {
  readonly client: number;
  readonly at: number;
  /** Undefined if it is unknown whether the call counted. */
  readonly answer?: {
    readonly isPaid: boolean;
    /** The balances of all accounts, as the decision saw them before it changed anything. */
    readonly balances: readonly number[];
  };
}

export type Report =
  { readonly begun: Begun } | { readonly ended: Ended } | { readonly done: true };
