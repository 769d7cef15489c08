import type { Row } from './rows.d.mts';

export interface Run {
  readonly part: string;
  readonly date: string;
  readonly machine: string;
  /** Of the last minute, before and after. */
  readonly load: readonly [number, number];
  readonly rows: readonly Row[];
}
export function keep(runs: readonly Run[]): Promise<void>;
export function readKept(): Readonly<Record<string, Run>>;
