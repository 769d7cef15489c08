import type { GeneratedKey } from '../../../clients/typescript/sign.ts';

/** The hub that is asked; `main.ts` sets it before it loads the first test. */
export interface Target {
  /** Without a slash at its end. */
  readonly url: string;
  /** Milliseconds to add to this machine's time to have the hub's. */
  readonly aheadMs: number;
  /** The account that gives others test money where there is no faucet. */
  readonly payer: GeneratedKey | undefined;
  /** Real money is never moved. */
  readonly isReal: boolean;
}

let chosen: Target | undefined;

export function choose(target: Target): void {
  chosen = target;
}

export function target(): Target {
  if (chosen === undefined) throw new Error('no hub was chosen');
  return chosen;
}
