/** Ends an attempt of a transaction that reads what its batch has not loaded. */
class RowsMissing extends Error {
  override readonly name = 'RowsMissing';
}
export const ROWS_MISSING = new RowsMissing(
  'rows are missing; the runtime loads them and runs it again',
);

/** Ends a transaction that answers and changes nothing. */
export class Left extends Error {
  override readonly name = 'Left';
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('the transaction was left without an effect');
    this.answer = answer;
  }
}
