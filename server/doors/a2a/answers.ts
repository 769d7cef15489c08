import type { Answer } from '../../middleware/exchange.ts';
import { exactText } from '../../../workflows/kernel/exactJson.ts';
import { errorText, resultText, type RpcId } from '../jsonRpc.ts';
import type { Refusal } from '../operations.ts';
import { eventAnswer, faultAnswer, jsonAnswer } from '../transport.ts';
import { errorFault, refusalFault, type A2aError } from './errors.ts';
import type { Version } from './version.ts';

export interface Asked {
  readonly id: RpcId | null;
  readonly version: Version;
  readonly streams: boolean;
}

/** One result: a JSON answer, or the only event of a stream. */
export function itemAnswer(
  { id, streams }: { readonly id: RpcId; readonly streams: boolean },
  item: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const text = resultText(id, exactText(item));
  if (!streams) return jsonAnswer(200, text, headers);
  const answer = eventAnswer(200, [text]);
  return { ...answer, headers: { ...headers, ...answer.headers } };
}

/** The texts of a stream's events; each is a whole response. */
export async function* itemTexts(id: RpcId, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield resultText(id, exactText(item));
}

/** Answers with status 200: clients read the body only then. A stream of 0.3 has it as an event. */
export function errorAnswer({ id, version, streams }: Asked, error: A2aError): Answer {
  const fault = errorFault(id, version, error);
  return streams && version === '0.3'
    ? eventAnswer(200, [errorText(fault)])
    : faultAnswer(200, fault);
}

/** A refusal of the request itself, under its own HTTP status and with its headers. */
export function refusedAnswer(id: RpcId | null, version: Version, { refusal }: Refusal): Answer {
  return faultAnswer(refusal.status, refusalFault(id, version, refusal), refusal.headers);
}
