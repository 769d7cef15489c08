import type { Tokens } from '../../../domain/models/offer.ts';
import type { FinishReason } from '../../../domain/models/receipt.ts';

/** What comes from a provider, piece by piece; a part that failed is the last. */
export type ModelPart =
  | { readonly is: 'text'; readonly text: string }
  /** Pieces of tool calls, as they came. */
  | { readonly is: 'tools'; readonly calls: readonly unknown[] }
  /** The latest figure counts, however often it comes. */
  | { readonly is: 'usage'; readonly usage: Tokens }
  | { readonly is: 'finish'; readonly reason: FinishReason }
  | ModelFault;

export interface ModelFault {
  readonly is: 'fault';
  readonly why: string;
  /** The request itself was refused: no fault of the provider's, and nobody else takes it either. */
  readonly ofRequest?: true;
}
