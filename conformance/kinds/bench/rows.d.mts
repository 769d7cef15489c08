export interface Row {
  /** The heading that it stands under; empty without one. */
  readonly of: string;
  readonly name: string;
  readonly figures: string;
  readonly values: readonly number[];
}
export function rowsOf(text: string): readonly Row[];
