import { isObject, type JsonObject } from '../jsonObject.ts';

/** A piece of a call of a function, or of a custom tool, whose input is plain text. */
export interface ToolCallPiece extends JsonObject {
  readonly index: number;
  readonly function?: JsonObject;
  readonly custom?: JsonObject;
}

/** The name and the arguments, or the input, in a piece. */
export function textsOf({ function: made, custom }: ToolCallPiece): readonly unknown[] {
  return [made?.['name'], made?.['arguments'], custom?.['name'], custom?.['input']];
}

interface Known {
  /** Undefined while the provider gave none. */
  id: string | undefined;
  /** The provider's number of its place; several calls may have the same. */
  readonly theirs: unknown;
  isBegun: boolean;
  readonly isCustom: boolean;
  name: string;
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
    const at = this.#lastOf(theirs, id, made);
    const call = this.#calls[at];
    const { isCustom } = made;
    if (call !== undefined && !beginsAnother(call, id, made, chunk.includes(at))) return at;
    this.#calls.push({
      id: this.#freeId(id),
      theirs,
      isBegun: false,
      isCustom,
      name: '',
      text: '',
    });
    return this.#calls.length - 1;
  }

  /** The call that a piece may continue: the newest of its id, of its place, or of all. */
  #lastOf(theirs: unknown, id: string | undefined, made: Made): number {
    const isPlaced = typeof theirs === 'number';
    const byId = this.#calls.findLastIndex(
      (each) =>
        id !== undefined &&
        each.id === id &&
        (!isPlaced || each.theirs === theirs || made.name === ''),
    );
    if (byId >= 0) return byId;
    if (!isPlaced) return this.#calls.length - 1;
    return this.#calls.findLastIndex((each) => each.theirs === theirs);
  }

  /** An id that another call has is none: clients answer each call by its id. */
  #freeId(id: string | undefined): string | undefined {
    return this.#calls.some((each) => each.id === id) ? undefined : id;
  }

  #newId(index: number): string {
    for (let n = index; ; n += 1) {
      const id = `call_${n}`;
      if (this.#calls.every((each) => each.id !== id)) return id;
    }
  }

  /** The first piece of a call has its id, its type and its name; later ones only what is new. */
  #formed(index: number, piece: JsonObject, made: Made): ToolCallPiece {
    const call = this.#calls[index];
    if (call === undefined) throw new Error(`tool call ${index} is not known`);
    const { id: _id, type: _type, function: _made, custom: _custom, ...rest } = piece;
    const { isCustom } = call;
    const isFirst = !call.isBegun;
    call.isBegun = true;
    if (isFirst) call.id ??= this.#freeId(idOf(piece)) ?? this.#newId(index);
    const name = call.name === '' ? made.name : '';
    call.name ||= name;
    call.text += made.arguments;
    return {
      ...rest,
      index,
      ...(isFirst && { id: call.id, type: isCustom ? 'custom' : 'function' }),
      [isCustom ? 'custom' : 'function']: {
        ...(name !== '' && { name }),
        [isCustom ? 'input' : 'arguments']: made.arguments,
      },
    };
  }
}

/**
 * A new name or id begins another call, also under one index. A piece that repeats the name of its
 * call continues it, unless the arguments are whole or the chunk has a piece of it already; an id
 * that changes before the arguments are whole is the provider's slip.
 */
function beginsAnother(
  call: Known,
  id: string | undefined,
  made: Made,
  isInChunk: boolean,
): boolean {
  const isOtherId = id !== undefined && call.id !== undefined && id !== call.id;
  const isSameId = id !== undefined && id === call.id;
  if (made.name === '' || call.name === '') {
    const isPlaced = typeof call.theirs === 'number';
    return isOtherId && (!isPlaced || made.name !== '' || isWhole(call.text));
  }
  if (isOtherId || made.name !== call.name) return true;
  if (isSameId) return isWhole(call.text) && made.arguments.trimStart().startsWith('{');
  return isInChunk || isWhole(call.text);
}

interface Made {
  readonly isCustom: boolean;
  readonly name: string;
  readonly arguments: string;
}

function functionOf({ function: made, custom }: JsonObject): Made {
  const isCustom = isObject(custom);
  const { name, ...member } = isCustom ? custom : isObject(made) ? made : {};
  const given = member[isCustom ? 'input' : 'arguments'];
  const text = isObject(given) ? JSON.stringify(given) : given;
  return {
    isCustom,
    name: typeof name === 'string' ? name : '',
    arguments: typeof text === 'string' ? text : '',
  };
}

/** Values that clients of some providers write for an id that is absent. */
const NO_ID: readonly string[] = ['', 'null', 'None', 'undefined'];

function idOf({ id }: JsonObject): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && !NO_ID.includes(id) ? id : undefined;
}

function isWhole(text: string): boolean {
  if (!text.endsWith('}')) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
