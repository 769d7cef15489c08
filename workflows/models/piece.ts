/** A piece of an answer, as it comes. */
export type AnswerPiece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'tools'; readonly calls: readonly unknown[] };
