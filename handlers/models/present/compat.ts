import type { Offer } from '../../../domain/models/offer.ts';
import { isObject } from '../../../domain/jsonObject.ts';
import type { ModelReceipt } from '../../../domain/models/receipt.ts';
import type { AnswerPiece } from '../../../workflows/models/piece.ts';
import type { components } from '../../../generated/types.ts';
import { presentReceipt } from './model.ts';

/** Models, completions and chunks in the form that chat-completion clients read. */
type Schemas = components['schemas'];

export function presentCompatModel({ id, since, providers }: Offer): Schemas['CompatModel'] {
  return { id, object: 'model', created: since, owned_by: providers[0]?.name ?? 'hub' };
}

/** What every chunk of a call begins with. */
export interface ChunkHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export function headOf({ id, at, model }: ModelReceipt): ChunkHead {
  return { id: `chatcmpl-${id}`, created: Math.floor(at / 1000), model };
}

type Chunk = Schemas['CompatDelta'];
type Delta = Chunk['choices'][number]['delta'];
type Finish = Chunk['choices'][number]['finish_reason'];

export function chunk(head: ChunkHead, delta: Delta, finish: Finish = null): Chunk {
  const choices = [{ index: 0, delta, finish_reason: finish } as const];
  return { ...head, object: 'chat.completion.chunk', choices: [...choices] };
}

/** The chunk without choices: the one place where clients take more than they know. */
export function lastChunk(head: ChunkHead, receipt: ModelReceipt, repeated?: boolean): Chunk {
  return {
    ...head,
    object: 'chat.completion.chunk',
    choices: [],
    usage: usageOf(receipt),
    receipt: presentReceipt(receipt, repeated),
  };
}

export function deltaOf(piece: AnswerPiece): Delta {
  if (piece.is === 'text') return { content: piece.text };
  return { tool_calls: piece.calls.filter(isObject).map((each) => ({ ...each })) };
}

export function usageOf({ usage }: ModelReceipt): Schemas['CompatUsage'] {
  const { input, output } = usage;
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

type ToolCall = { [key: string]: unknown };

/** Pieces of tool calls put together, as one message has them. */
export function wholeCalls(pieces: readonly unknown[]): ToolCall[] {
  const calls = new Map<unknown, ToolCall>();
  for (const [position, piece] of pieces.filter(isObject).entries()) {
    const { index = `at ${position}`, function: made, ...rest } = piece;
    const known = calls.get(index);
    const before = isObject(known?.['function']) ? known['function'] : {};
    const more = isObject(made) ? made : {};
    const text = (from: object, name: string): string => {
      const value: unknown = Reflect.get(from, name);
      return typeof value === 'string' ? value : '';
    };
    const joined = {
      name: text(before, 'name') || text(more, 'name'),
      arguments: text(before, 'arguments') + text(more, 'arguments'),
    };
    calls.set(index, { type: 'function', ...rest, ...known, function: joined });
  }
  return [...calls.values()];
}
