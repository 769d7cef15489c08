/**
 * A state whose large parts are typed arrays, as one text and the bytes of the arrays in the order in
 * which the text names them. The bytes are those of the processor, low end first or high end first.
 */
const ARRAYS = { Uint8Array, Uint32Array, Int32Array, Float64Array };

interface Named {
  readonly array: keyof typeof ARRAYS;
  readonly length: number;
}

export interface Packed {
  readonly text: string;
  /** Views, not copies. */
  readonly arrays: readonly Uint8Array[];
}

export function pack(state: object): Packed {
  const arrays: Uint8Array[] = [];
  const text = JSON.stringify(state, (_name, value: unknown) => {
    const array = arrayNameOf(value);
    if (array === undefined) return value;
    const { buffer, byteOffset, byteLength, length } = value as Uint8Array;
    arrays.push(new Uint8Array(buffer, byteOffset, byteLength));
    return { array, length } satisfies Named;
  });
  return { text, arrays };
}

/** Returns the state of a text. `fill` writes the bytes of the next array into the given one. */
export function unpack(text: string, fill: (bytes: Uint8Array) => void): unknown {
  return JSON.parse(text, (_name, value: unknown) => {
    if (!isNamed(value)) return value;
    const array = new ARRAYS[value.array](value.length);
    fill(new Uint8Array(array.buffer));
    return array;
  });
}

export function bytesOf(state: object): number {
  return pack(state).arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function arrayNameOf(value: unknown): Named['array'] | undefined {
  const names = Object.keys(ARRAYS) as readonly Named['array'][];
  return names.find((name) => value instanceof ARRAYS[name]);
}

function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && 'array' in value && 'length' in value;
}
