import { isObject, listOf, type JsonObject } from '../../jsonObject.ts';
import { joinedMembers, type AnswerPiece, type Words } from '../piece.ts';
import { GrowingCalls, type GrowingCall } from './toolTexts.ts';

/** An event of the responses form, before its place in the stream is known. */
export type FormEvent = JsonObject & { readonly type: string };

interface OpenItem {
  readonly index: number;
  item: Record<string, unknown>;
  /** The part that grows: of a message its content, of a thought its summary. */
  part: { readonly index: number; readonly value: Record<string, unknown> } | undefined;
}

/**
 * Makes items of the responses form from the pieces of an answer, with the events of a stream. A
 * whole answer is what the events of its stream add up to.
 */
export class ResponsesItems {
  readonly output: Record<string, unknown>[] = [];
  readonly #id: string;
  readonly #calls = new GrowingCalls();
  readonly #callItems = new Map<GrowingCall, OpenItem>();
  #open: OpenItem | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  *take(piece: AnswerPiece): Generator<FormEvent> {
    if (piece.is === 'vectors') return;
    if (piece.is === 'tools') {
      for (const each of piece.calls) yield* this.#takeCall(this.#calls.take(each));
    } else if (piece.is === 'reasoning') yield* this.#think(piece.text);
    else if (piece.is === 'beside') yield* this.#takeBeside(piece);
    else yield* this.#say(piece);
  }

  /** Ends what is open. */
  *end(status: 'completed' | 'incomplete'): Generator<FormEvent> {
    yield* this.#close(status);
    for (const [call, open] of this.#callItems) {
      const item_id = open.item['id'];
      const at = { item_id, output_index: open.index };
      const { name, text } = call;
      yield { type: 'response.function_call_arguments.done', ...at, name, arguments: text };
      open.item = { ...open.item, ...call.more, name, arguments: text };
      yield* this.#done(open, status);
    }
  }

  *#takeCall(taken: ReturnType<GrowingCalls['take']>): Generator<FormEvent> {
    const { call, isFirst, text } = taken;
    if (isFirst) {
      yield* this.#close('completed');
      const { id: call_id, name } = call;
      const open = this.#add('fc', { type: 'function_call', call_id, name, arguments: '' });
      this.#callItems.set(call, open);
      yield added(open);
    }
    const open = this.#callItems.get(call);
    if (open === undefined || text === '') return;
    const at = { item_id: open.item['id'], output_index: open.index };
    yield { type: 'response.function_call_arguments.delta', ...at, delta: text };
  }

  *#think(text: string): Generator<FormEvent> {
    if (this.#open?.item['type'] !== 'reasoning') {
      yield* this.#close('completed');
      this.#open = this.#add('rs', { type: 'reasoning', summary: [] });
      yield added(this.#open);
    }
    const open = this.#open;
    if (open === undefined) return;
    yield* this.#inPart(open, { type: 'summary_text', text: '' });
    grow(open, 'text', text);
    const at = { item_id: open.item['id'], output_index: open.index, summary_index: 0 };
    yield { type: 'response.reasoning_summary_text.delta', ...at, delta: text };
  }

  *#say({ is, text }: Words): Generator<FormEvent> {
    const open = yield* this.#message();
    const field = is === 'refusal' ? 'refusal' : 'text';
    yield* this.#inPart(open, partOf(is));
    grow(open, field, text);
    const at = placeOf(open);
    if (is === 'refusal') yield { type: 'response.refusal.delta', ...at, delta: text };
    else yield { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] };
  }

  *#takeBeside(piece: Extract<AnswerPiece, { is: 'beside' }>): Generator<FormEvent> {
    const open = yield* this.#message();
    if (open.part?.value['type'] !== 'output_text') yield* this.#inPart(open, partOf('text'));
    const value = open.part?.value ?? {};
    for (const each of piece.annotations) {
      const annotation = annotationOf(each);
      const all = [...listOf(value['annotations']), annotation];
      value['annotations'] = all;
      const at = { ...placeOf(open), annotation_index: all.length - 1 };
      yield { type: 'response.output_text.annotation.added', ...at, annotation };
    }
    const { content = [] } = piece.logprobs ?? {};
    value['logprobs'] = [...listOf(value['logprobs']), ...content];
    Object.assign(open.item, joinedMembers(open.item, piece.members ?? {}));
  }

  *#message(): Generator<FormEvent, OpenItem> {
    if (this.#open?.item['type'] === 'message') return this.#open;
    yield* this.#close('completed');
    const open = this.#add('msg', { type: 'message', role: 'assistant', content: [] });
    this.#open = open;
    yield added(open);
    return open;
  }

  #add(kind: string, members: JsonObject): OpenItem {
    const index = this.output.length;
    const item = { id: `${kind}_${this.#id}${index}`, ...members, status: 'in_progress' };
    this.output.push(item);
    return { index, item, part: undefined };
  }

  /** Goes on in the part of this type, or ends the one before and begins it. */
  *#inPart(open: OpenItem, value: Record<string, unknown>): Generator<FormEvent> {
    if (open.part?.value['type'] === value['type']) return;
    yield* this.#endPart(open);
    const list = listOf(open.item[listNameOf(open)]);
    open.part = { index: list.length, value };
    open.item[listNameOf(open)] = [...list, value];
    yield { type: `response.${kindOf(open)}.added`, ...placeOf(open), part: { ...value } };
  }

  *#endPart(open: OpenItem): Generator<FormEvent> {
    const { part } = open;
    if (part === undefined) return;
    const { type, text, refusal, logprobs } = part.value;
    const at = placeOf(open);
    if (type === 'summary_text')
      yield { type: 'response.reasoning_summary_text.done', ...at, text };
    else if (type === 'refusal') yield { type: 'response.refusal.done', ...at, refusal };
    else yield { type: 'response.output_text.done', ...at, text, logprobs };
    yield { type: `response.${kindOf(open)}.done`, ...at, part: part.value };
    open.part = undefined;
  }

  *#close(status: string): Generator<FormEvent> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    yield* this.#endPart(open);
    yield* this.#done(open, status);
  }

  *#done(open: OpenItem, status: string): Generator<FormEvent> {
    open.item['status'] = status;
    this.output[open.index] = open.item;
    yield { type: 'response.output_item.done', output_index: open.index, item: open.item };
  }
}

function added({ index, item }: OpenItem): FormEvent {
  return { type: 'response.output_item.added', output_index: index, item: { ...item } };
}

function grow({ part }: OpenItem, field: string, text: string): void {
  if (part !== undefined) part.value[field] = `${String(part.value[field])}${text}`;
}

function partOf(is: Words['is']): Record<string, unknown> {
  if (is === 'refusal') return { type: 'refusal', refusal: '' };
  return { type: 'output_text', text: '', annotations: [], logprobs: [] };
}

function kindOf({ item }: OpenItem): string {
  return item['type'] === 'reasoning' ? 'reasoning_summary_part' : 'content_part';
}

function listNameOf({ item }: OpenItem): string {
  return item['type'] === 'reasoning' ? 'summary' : 'content';
}

function placeOf(open: OpenItem): JsonObject {
  const place = open.item['type'] === 'reasoning' ? 'summary_index' : 'content_index';
  const at = { item_id: open.item['id'], output_index: open.index };
  return { ...at, [place]: open.part?.index ?? 0 };
}

/** A source stands in a member of its own in chat completions, and by itself here. */
function annotationOf(annotation: JsonObject): JsonObject {
  const { type, url_citation: source } = annotation;
  return type === 'url_citation' && isObject(source) ? { type, ...source } : annotation;
}
