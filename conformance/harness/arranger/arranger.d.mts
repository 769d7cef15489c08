/** An account of a run, with the seed that it signs with. */
export interface ArrangedAccount {
  readonly keyId: string;
  readonly account: string;
  readonly secretKey: Uint8Array;
}

/** Path parameters and body fields that an operation needs to succeed. */
interface Arranged {
  readonly path: { readonly id: string };
  readonly body: { readonly claimToken: string };
}

/** One task in each state: their ids, results that wait for a verdict, and other ids beside them. */
interface Worked {
  readonly tasks: readonly string[];
  readonly solutions: Readonly<Record<string, string>>;
  readonly others: readonly string[];
}

interface Arranger {
  readonly alice: ArrangedAccount;
  readonly bob: ArrangedAccount;
  readonly tasks: {
    worked(worker: ArrangedAccount, requester: ArrangedAccount): Promise<Worked>;
    claimed(worker: ArrangedAccount, requester: ArrangedAccount): Promise<Arranged>;
  };
}

/** Arranges at the hub at `url`; throws where the hub refuses. `now` is in milliseconds. */
export function openArranger(options: {
  readonly url: string;
  readonly now?: () => number;
}): Arranger;
