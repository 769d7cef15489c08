import type { Conduct, StepTerms, Terms } from './types.ts';

/** Things are named by the operation that made them ("t12"), so a shortened run keeps its sense. */
export type Operation =
  | ({ readonly do: 'publish'; readonly terms: Terms } & Signed & Once)
  | ({
      readonly do: 'claim';
      readonly task: string;
      readonly skills?: readonly string[];
      readonly payee?: number;
    } & Signed)
  | ({
      readonly do: 'next';
      readonly skills?: readonly string[];
      readonly minReward?: bigint;
      readonly payee?: number;
    } & Signed)
  | ({ readonly do: 'start'; readonly task: string } & Signed)
  | ({ readonly do: 'submit'; readonly attempt: string; readonly good: boolean } & Signed & Once)
  | ({ readonly do: 'fail'; readonly attempt: string } & Signed)
  | ({
      readonly do: 'solution';
      readonly task: string;
      readonly good: boolean;
      readonly payee?: number;
    } & Signed &
      Once)
  | ({ readonly do: 'accept'; readonly task: string; readonly attempt?: string } & Signed & Once)
  | ({
      readonly do: 'award';
      readonly task: string;
      readonly attempts: readonly string[];
    } & Signed &
      Once)
  | ({ readonly do: 'reject'; readonly task: string; readonly attempt?: string } & Signed)
  | ({ readonly do: 'cancel'; readonly task: string } & Signed & Once)
  | ({ readonly do: 'pitch'; readonly task: string; readonly price?: bigint } & Signed)
  | ({ readonly do: 'choose'; readonly pitch: string } & Signed & Once)
  | ({
      readonly do: 'chain';
      readonly steps: readonly StepTerms[];
      readonly isDistinct: boolean;
      readonly isSame: boolean;
    } & Signed &
      Once)
  | ({ readonly do: 'abandon'; readonly chain: string } & Signed & Once)
  | ({ readonly do: 'dispute'; readonly task: string } & Signed)
  | ({
      readonly do: 'arbitrate';
      readonly task: string;
      readonly verdict: 'upheld' | 'rejected' | 'split';
      readonly shareBps?: number;
    } & Signed &
      Once)
  | ({
      readonly do: 'seat';
      readonly stake?: bigint;
      readonly isForAll?: boolean;
      readonly minFeeBps?: number;
    } & Signed &
      Once)
  | ({ readonly do: 'resign' } & Signed & Once)
  | ({ readonly do: 'borrow'; readonly task: string; readonly wanted?: bigint } & Signed & Once)
  | ({ readonly do: 'pay'; readonly to: number; readonly amount: bigint } & Signed & Once)
  | ({ readonly do: 'faucet'; readonly amount: bigint } & Signed & Once)
  | ({
      readonly do: 'behave';
      readonly conduct: Conduct;
      readonly isProbedWell: boolean;
    } & Signed)
  /** Time passes; `jobs` false leaves the scheduler stopped. */
  | {
      readonly do: 'wait';
      readonly seconds: number;
      readonly jobs: boolean;
      /** The job in which the process dies, and how many judges' answers are recorded by then. */
      readonly dies?: Death & { readonly job: string; readonly answers: number };
    }
  /** The process dies and another one opens the same database. */
  | { readonly do: 'restart' };

/** The process is killed this many milliseconds after it was asked. */
export interface Death {
  readonly afterMs: number;
}
interface Signed {
  readonly by: number;
  /** The process is killed under it, and it is sent again to the next one. */
  readonly dies?: Death;
}
interface Once {
  readonly key?: string;
}

export type Numbered = Operation & { readonly n: number };

export type Calling = Exclude<Numbered, { readonly do: 'wait' | 'restart' | 'behave' }>;
