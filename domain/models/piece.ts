import type { ToolCallPiece } from './toolCalls.ts';

/** Words of an answer: what the model says, why it refuses, what it thinks aloud. */
export interface Words {
  readonly is: 'text' | 'refusal' | 'reasoning';
  readonly text: string;
}

/** A piece of an answer that the caller is given and pays for. */
export type AnswerPiece =
  Words | { readonly is: 'tools'; readonly calls: readonly ToolCallPiece[] };

export function isAnswerPiece(part: { readonly is: string }): part is AnswerPiece {
  return part.is === 'tools' || isWords(part);
}

export function isWords(part: { readonly is: string }): part is Words {
  return part.is === 'text' || part.is === 'refusal' || part.is === 'reasoning';
}

export interface Answered {
  readonly text: string;
  readonly refusal: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCallPiece[];
}

export async function wholeAnswer(pieces: AsyncIterable<AnswerPiece>): Promise<Answered> {
  const words = { text: '', refusal: '', reasoning: '' };
  const calls: ToolCallPiece[] = [];
  for await (const piece of pieces) {
    if (piece.is === 'tools') calls.push(...piece.calls);
    else words[piece.is] += piece.text;
  }
  return { ...words, calls };
}
