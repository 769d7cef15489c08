import type { Offer } from '../../../domain/models/offer.ts';
import { defined } from '../../../domain/defined.ts';
import { isObject, type JsonObject } from '../../../domain/jsonObject.ts';
import type { Answered, AnswerPiece, Logprobs } from '../../../domain/models/piece.ts';
import type { ModelReceipt } from '../../../domain/models/receipt.ts';
import type { ToolCallPiece } from '../../../domain/models/toolCalls.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { presentReceipt } from './model.ts';

export function presentCompatModel({ id, since, providers }: Offer): Schemas['CompatModel'] {
  return { id, object: 'model', created: since, owned_by: providers[0]?.name ?? 'hub' };
}

export interface ChunkHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export function headOf({ id, at, model, servedModel }: ModelReceipt): ChunkHead {
  return { id: `chatcmpl-${id}`, created: Math.floor(at / 1000), model: servedModel ?? model };
}

type Chunk = Schemas['CompatDelta'];
type Delta = Chunk['choices'][number]['delta'];
type Finish = Chunk['choices'][number]['finish_reason'];

export function chunk(head: ChunkHead, delta: Delta, finish: Finish = null): Chunk {
  const choices = [{ index: 0, delta, finish_reason: finish } as const];
  return { ...head, object: 'chat.completion.chunk', choices };
}

/** How a stream ends: with a chunk of its own for usage only where the caller asked for one. */
export interface StreamEnd {
  readonly includeUsage: boolean;
  readonly repeated?: boolean;
}

/**
 * The last chunks of a stream. Clients read `choices[0]` of every chunk unless they asked for usage,
 * so the receipt is on the chunk with the reason of the end, or on the one with usage and no choices.
 */
export function lastChunks(
  head: ChunkHead,
  receipt: ModelReceipt,
  { includeUsage, repeated }: StreamEnd,
): readonly Chunk[] {
  const end = chunk(head, {}, receipt.finishReason ?? 'stop');
  const presented = presentReceipt(receipt, repeated);
  if (!includeUsage) return [{ ...end, receipt: presented }];
  return [end, { ...end, choices: [], usage: usageOf(receipt), receipt: presented }];
}

function deltaOf(piece: AnswerPiece): Delta {
  if (piece.is === 'vectors') return {};
  if (piece.is === 'tools') return { tool_calls: piece.calls.map((each) => ({ ...each })) };
  if (piece.is === 'beside') {
    const { annotations, members } = piece;
    return { ...members, ...(annotations.length > 0 && { annotations }) };
  }
  return { [FIELD_OF[piece.is]]: piece.text };
}

/** The chunk of a piece; probabilities stand beside its delta. */
export function chunkOf(head: ChunkHead, piece: AnswerPiece): Chunk {
  const made = chunk(head, deltaOf(piece));
  if (piece.is !== 'beside' || piece.logprobs === undefined) return made;
  const logprobs = logprobsOf(piece.logprobs);
  return { ...made, choices: made.choices.map((choice) => ({ ...choice, logprobs })) };
}

/** Clients read both lists; a kind that has none is null. */
export function logprobsOf({ content, refusal }: Logprobs): { [key: string]: unknown } {
  return { content: content ?? null, refusal: refusal ?? null };
}

const FIELD_OF = { text: 'content', refusal: 'refusal', reasoning: 'reasoning_content' } as const;

/** The message of an answer. Where there is no text, but something else, its content is null. */
export function messageOf(answered: Answered) {
  const { text, refusal, reasoning, calls, annotations, members } = answered;
  const isElsewhere = text === '' && (calls.length > 0 || refusal !== '');
  return {
    ...members,
    role: 'assistant' as const,
    content: isElsewhere ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...defined({ reasoning_content: reasoning === '' ? undefined : reasoning }),
    ...(annotations.length > 0 && { annotations: [...annotations] }),
    ...(calls.length > 0 && { tool_calls: wholeCalls(calls) }),
  };
}

export function usageOf({ usage }: ModelReceipt): Schemas['CompatUsage'] {
  const { input, output, cached } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

type ToolCall = { [key: string]: unknown };

function wholeCalls(pieces: readonly ToolCallPiece[]): ToolCall[] {
  const calls = new Map<number, ToolCall>();
  for (const { index, function: made, custom, ...rest } of pieces) {
    const known = calls.get(index) ?? {};
    calls.set(index, {
      ...rest,
      ...known,
      ...(made !== undefined && { function: joined(known['function'], made, 'arguments') }),
      ...(custom !== undefined && { custom: joined(known['custom'], custom, 'input') }),
    });
  }
  return [...calls.values()];
}

function joined(known: unknown, more: JsonObject, text: string): JsonObject {
  const first = isObject(known) ? known : {};
  const name = textIn(first['name']) || textIn(more['name']);
  return { name, [text]: textIn(first[text]) + textIn(more[text]) };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
