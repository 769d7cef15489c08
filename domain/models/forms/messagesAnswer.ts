import { isObject, listOf, type JsonObject } from '../../jsonObject.ts';
import { joinedMembers, type AnswerPiece } from '../piece.ts';
import type { FinishReason } from '../receipt.ts';
import type { FormEvent } from './responsesAnswer.ts';
import { GrowingCalls, inputOf, type GrowingCall } from './toolTexts.ts';

interface OpenBlock {
  readonly index: number;
  readonly value: Record<string, unknown>;
}

/**
 * Makes blocks of the messages form from the pieces of an answer, with the events of a stream. Only
 * one block is open at a time, so calls that a provider mixes are given one after the other.
 */
export class MessagesBlocks {
  readonly content: Record<string, unknown>[] = [];
  /** Members that no block of the form has a place for. */
  members: JsonObject = {};
  readonly #calls = new GrowingCalls();
  #open: OpenBlock | undefined;
  #streamed: GrowingCall | undefined;
  readonly #given = new Map<GrowingCall, number>();
  /** Pieces that came while a call was open, in whose block it has no place. */
  #waiting: AnswerPiece[] = [];

  *take(piece: AnswerPiece): Generator<FormEvent> {
    if (piece.is === 'vectors') return;
    if (piece.is === 'tools') {
      for (const each of piece.calls) yield* this.#takeCall(this.#calls.take(each).call);
    } else if (this.#streamed !== undefined) this.#waiting.push(piece);
    else if (piece.is === 'beside') yield* this.#takeBeside(piece);
    else {
      const isThought = piece.is === 'reasoning';
      const first = isThought
        ? { type: 'thinking', thinking: '', signature: '' }
        : { type: 'text', text: '' };
      const { index, value } = yield* this.#inBlock(first);
      const field = isThought ? 'thinking' : 'text';
      value[field] = `${String(value[field])}${piece.text}`;
      yield delta(index, { type: `${field}_delta`, [field]: piece.text });
    }
  }

  *end(): Generator<FormEvent> {
    for (const call of this.#calls.all()) {
      if (!this.#given.has(call)) yield* this.#begin(call);
      yield* this.#give(call);
      if (call === this.#streamed) yield* this.#close();
    }
    this.#streamed = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const piece of waiting) yield* this.take(piece);
    yield* this.#close();
  }

  /** The arguments of the first call that is open stream; those of others wait for its end. */
  *#takeCall(call: GrowingCall): Generator<FormEvent> {
    if (this.#streamed === undefined) yield* this.#begin(call);
    if (this.#streamed === call) yield* this.#give(call);
  }

  *#begin(call: GrowingCall): Generator<FormEvent> {
    yield* this.#close();
    this.#streamed = call;
    this.#given.set(call, 0);
    const { id, name } = call;
    yield* this.#inBlock({ type: 'tool_use', id, name, input: {} });
  }

  *#give(call: GrowingCall): Generator<FormEvent> {
    const open = this.#open;
    const given = this.#given.get(call) ?? 0;
    if (open === undefined || open.value['id'] !== call.id) return;
    Object.assign(open.value, call.more, { name: call.name, input: inputOf(call) });
    this.#given.set(call, call.text.length);
    const partial_json = call.text.slice(given);
    if (partial_json !== '') yield delta(open.index, { type: 'input_json_delta', partial_json });
  }

  *#takeBeside(piece: Extract<AnswerPiece, { is: 'beside' }>): Generator<FormEvent> {
    for (const annotation of piece.annotations) {
      const citation = citationOf(annotation);
      if (citation === undefined) {
        const { annotations } = this.members;
        this.members = { ...this.members, annotations: [...listOf(annotations), annotation] };
        continue;
      }
      const { index, value } = yield* this.#inBlock({ type: 'text', text: '' });
      value['citations'] = [...listOf(value['citations']), citation];
      yield delta(index, { type: 'citations_delta', citation });
    }
    this.members = joinedMembers(this.members, piece.members ?? {});
    if (piece.logprobs !== undefined) {
      const { content = [] } = piece.logprobs;
      const all = [...listOf(this.members['logprobs']), ...content];
      this.members = { ...this.members, logprobs: all };
    }
  }

  *#inBlock(first: Record<string, unknown>): Generator<FormEvent, OpenBlock> {
    const known = this.#open;
    if (known !== undefined && known.value['type'] === first['type']) return known;
    yield* this.#close();
    const open = { index: this.content.length, value: first };
    this.content.push(first);
    this.#open = open;
    yield { type: 'content_block_start', index: open.index, content_block: { ...first } };
    return open;
  }

  *#close(): Generator<FormEvent> {
    if (this.#open === undefined) return;
    const { index } = this.#open;
    this.#open = undefined;
    yield { type: 'content_block_stop', index };
  }
}

function delta(index: number, given: JsonObject): FormEvent {
  return { type: 'content_block_delta', index, delta: given };
}

function citationOf({ type, url_citation: source }: JsonObject): JsonObject | undefined {
  if (type !== 'url_citation' || !isObject(source)) return undefined;
  const { url, title = null, ...more } = source;
  const none = { cited_text: '', encrypted_index: '' };
  return { type: 'web_search_result_location', url, title, ...none, ...more };
}

const STOPS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const satisfies Record<FinishReason, string>;

export function stopReasonOf(reason: FinishReason | undefined): (typeof STOPS)[FinishReason] {
  return STOPS[reason ?? 'stop'];
}
