import type { JsonObject } from '../../jsonObject.ts';
import type { ToolCallPiece } from '../toolCalls.ts';

/** A call of a tool as it grows; `more` has the members that its provider adds to the protocol. */
export interface GrowingCall {
  readonly id: string;
  name: string;
  text: string;
  more: JsonObject;
}

/** Puts the pieces of calls together, each under the index of its call. */
export class GrowingCalls {
  readonly #calls = new Map<number, GrowingCall>();

  /** The call, whether this piece begins it, and what of its arguments is new. */
  take(piece: ToolCallPiece): { call: GrowingCall; isFirst: boolean; text: string } {
    const { index, id, type: _type, function: made, custom, ...more } = piece;
    const { name, arguments: input, input: plain } = made ?? custom ?? {};
    const known = this.#calls.get(index);
    const call = known ?? { id: textOf(id) || `call_${index}`, name: '', text: '', more: {} };
    this.#calls.set(index, call);
    const text = textOf(input ?? plain);
    call.name ||= textOf(name);
    call.text += text;
    call.more = { ...call.more, ...more };
    return { call, isFirst: known === undefined, text };
  }

  all(): readonly GrowingCall[] {
    return [...this.#calls.values()];
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The arguments as an object; a text that is none is given as it came, under a name of its own. */
export function inputOf({ text }: GrowingCall): JsonObject {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as JsonObject;
    }
  } catch {
    // The model wrote no JSON, which the caller is to see.
  }
  return { unparsed: text };
}
