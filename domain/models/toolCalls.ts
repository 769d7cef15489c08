import { isObject, type JsonObject } from '../jsonObject.ts';

export interface ToolCallPiece extends JsonObject {
  readonly index: number;
  readonly function: JsonObject;
}

interface Known {
  /** Undefined while the provider gave none. */
  id: string | undefined;
  /** The provider's number of its place; several calls may have the same. */
  readonly theirs: unknown;
  isBegun: boolean;
  hasName: boolean;
  text: string;
}

/**
 * Gives each piece of a tool call its call's index, since clients go by index and first id alone.
 * Providers omit it, send 0 for each, repeat or omit ids, or send arguments as an object.
 */
export class ToolCalls {
  readonly #calls: Known[] = [];

  piecesOf(pieces: readonly JsonObject[]): readonly ToolCallPiece[] {
    const chunk: number[] = [];
    return pieces.map((piece) => {
      const made = functionOf(piece);
      const index = this.#indexOf(piece, made, chunk);
      chunk.push(index);
      return this.#formed(index, piece, made);
    });
  }

  #indexOf(piece: JsonObject, made: Made, chunk: readonly number[]): number {
    const { index: theirs } = piece;
    const id = idOf(piece);
    const byId = this.#calls.findIndex((each) => id !== undefined && each.id === id);
    if (byId >= 0) return byId;
    const isPlaced = typeof theirs === 'number';
    const at = isPlaced
      ? this.#calls.findLastIndex((each) => each.theirs === theirs)
      : this.#calls.length - 1;
    const call = this.#calls[at];
    const isNew =
      call === undefined ||
      (id !== undefined && call.id !== undefined && (!isPlaced || made.name !== '')) ||
      (!isPlaced && id === undefined && this.#beginsAnother(call, made, chunk.includes(at)));
    if (!isNew) return at;
    this.#calls.push({ id, theirs, isBegun: false, hasName: false, text: '' });
    return this.#calls.length - 1;
  }

  /** Without id and index: another entry of the same chunk, or a name after whole arguments. */
  #beginsAnother(call: Known, made: Made, isInChunk: boolean): boolean {
    return made.name !== '' && call.hasName && (isInChunk || isWhole(call.text));
  }

  /** The first piece of a call has its id, its type and its name; later ones only what is new. */
  #formed(index: number, piece: JsonObject, made: Made): ToolCallPiece {
    const call = this.#calls[index];
    if (call === undefined) throw new Error(`tool call ${index} is not known`);
    const { id: _id, type: _type, function: _made, ...rest } = piece;
    const isFirst = !call.isBegun;
    call.isBegun = true;
    call.id ??= idOf(piece);
    const name = call.hasName ? '' : made.name;
    call.hasName ||= name !== '';
    call.text += made.arguments;
    return {
      ...rest,
      index,
      ...(isFirst && { id: call.id ?? `call_${index}`, type: 'function' }),
      function: { ...(name !== '' && { name }), arguments: made.arguments },
    };
  }
}

interface Made {
  readonly name: string;
  readonly arguments: string;
}

function functionOf({ function: made }: JsonObject): Made {
  const { name, arguments: given } = isObject(made) ? made : {};
  const text = isObject(given) ? JSON.stringify(given) : given;
  return {
    name: typeof name === 'string' ? name : '',
    arguments: typeof text === 'string' ? text : '',
  };
}

function idOf({ id }: JsonObject): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function isWhole(text: string): boolean {
  if (!text.endsWith('}')) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
