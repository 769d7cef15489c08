import {
  BaseError,
  ExecutionRevertedError,
  HttpRequestError,
  LimitExceededRpcError,
  TimeoutError,
} from 'viem';
import type { SendResult } from './port.ts';
import { head } from '../../../domain/text.ts';

/** Nodes refuse in words of their own; these are the ones in use, most telling first. */
const WORDS: readonly (readonly [RegExp, SendResult])[] = [
  [/already known|known transaction|already imported|already exists/i, 'known'],
  [/nonce (?:is )?too low|nonce has already been used|oldnonce/i, 'nonce-used'],
  [/underpriced|fee too low|less than block base fee|max fee per gas/i, 'underpriced'],
  [/insufficient funds|insufficient balance/i, 'no-gas'],
];

/** Whether the outcome of the request is unknown, because no node answered. */
export function wasUnreachable(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  return [HttpRequestError, TimeoutError, LimitExceededRpcError].some((kind) =>
    Boolean(error.walk((each) => each instanceof kind)),
  );
}

/** Returns the meaning of a node's refusal of a transaction. */
export function sendResultOf(error: unknown): SendResult {
  const text = error instanceof BaseError ? `${error.details} ${error.message}` : String(error);
  return WORDS.find(([words]) => words.test(text))?.[1] ?? 'refused';
}

/** Why the contract would refuse a call; undefined when the failure was another. */
export function revertOf(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const reverted = error.walk((each) => each instanceof ExecutionRevertedError);
  return reverted instanceof BaseError ? head(reverted.shortMessage, 200) : undefined;
}
