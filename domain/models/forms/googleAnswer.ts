import { isObject, listOf, type JsonObject } from '../../jsonObject.ts';
import { joinedMembers, type AnswerPiece } from '../piece.ts';
import type { FinishReason } from '../receipt.ts';
import { GrowingCalls, inputOf, type GrowingCall } from './toolTexts.ts';

/**
 * Makes parts of the generateContent form from the pieces of an answer. A call of a function has
 * its arguments as an object, so calls are given when the answer ends.
 */
export class GoogleParts {
  readonly #calls = new GrowingCalls();
  #sources: JsonObject[] = [];
  #logprobs: unknown[] = [];
  /** Members that no part of the form has a place for. */
  members: JsonObject = {};

  /** The parts that can be given now. */
  take(piece: AnswerPiece): readonly JsonObject[] {
    if (piece.is === 'vectors') return [];
    if (piece.is === 'tools') {
      for (const each of piece.calls) this.#calls.take(each);
      return [];
    }
    if (piece.is === 'reasoning') return [{ text: piece.text, thought: true }];
    if (piece.is !== 'beside') return [{ text: piece.text }];
    for (const annotation of piece.annotations) this.#cite(annotation);
    this.#logprobs.push(...(piece.logprobs?.content ?? []));
    this.members = joinedMembers(this.members, piece.members ?? {});
    return [];
  }

  /** The parts that were held back. */
  end(): readonly JsonObject[] {
    return this.#calls.all().map(callPart);
  }

  /** Members of the candidate beside its content. */
  beside(): JsonObject {
    const chunks = this.#sources;
    return {
      ...this.members,
      ...(chunks.length > 0 && { groundingMetadata: { groundingChunks: chunks } }),
      ...(this.#logprobs.length > 0 && { logprobs: this.#logprobs }),
    };
  }

  #cite(annotation: JsonObject): void {
    const { type, url_citation: source } = annotation;
    if (type === 'url_citation' && isObject(source)) {
      const { url, ...more } = source;
      this.#sources.push({ web: { uri: url, ...more } });
      return;
    }
    const all = [...listOf(this.members['annotations']), annotation];
    this.members = { ...this.members, annotations: all };
  }
}

/** A provider that signs its thought gives the signature beside the call, and wants it back there. */
function callPart(call: GrowingCall): JsonObject {
  const { extra_content: extra, ...more } = call.more;
  const google = isObject(extra) ? extra['google'] : undefined;
  const signature = isObject(google) ? google['thought_signature'] : undefined;
  return {
    functionCall: { id: call.id, name: call.name, args: inputOf(call) },
    ...more,
    ...(signature === undefined
      ? extra !== undefined && { extra_content: extra }
      : { thoughtSignature: signature }),
  };
}

const FINISHES = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
} as const satisfies Record<FinishReason, string>;

export function finishReasonOf(reason: FinishReason | undefined): string {
  return FINISHES[reason ?? 'stop'];
}

/** Neighbours of one kind are one part, as a whole answer has them. */
export function joinedParts(parts: readonly JsonObject[]): readonly JsonObject[] {
  const joined: JsonObject[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isSame = last?.['text'] !== undefined && last['thought'] === part['thought'];
    if (isSame && typeof part['text'] === 'string') {
      joined[joined.length - 1] = { ...last, text: `${String(last['text'])}${part['text']}` };
    } else joined.push(part);
  }
  return joined;
}
