import type { AnswerPiece } from '../../../domain/models/piece.ts';
import type { FinishReason } from '../../../domain/models/receipt.ts';
import type { Claimed } from '../../../domain/models/usage.ts';

/** A piece of a provider's answer; a part that failed is the last. */
export type ModelPart =
  | AnswerPiece
  /** The latest figure counts, however often it comes. */
  | { readonly is: 'usage'; readonly usage: Claimed }
  | { readonly is: 'finish'; readonly reason: FinishReason }
  | ModelFault;

export interface ModelFault {
  readonly is: 'fault';
  readonly why: string;
  /** The request was refused: not this provider's fault; every other would refuse it too. */
  readonly ofRequest?: true;
}
