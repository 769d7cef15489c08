import { a2aSkills, mcpTools } from '../../generated/doors.ts';
import { operationTable } from '../../generated/operations.ts';
import { doorLimit } from './files.ts';

/**
 * How long a message of a door may be, by the operation that it names (threats.stalled-loop). It is
 * judged on the bytes, before anything is parsed: a long message must hold the name of an operation
 * that takes so much. Which one it calls is read later, and its arguments are held to its own limit
 * then.
 */
const ENVELOPE_BYTES = 65_536;

interface Named {
  readonly name: string;
  readonly limitBytes: number;
}

const NAMED: readonly Named[] = [...Object.entries(mcpTools), ...Object.entries(a2aSkills)].map(
  ([name, id]) => ({ name, limitBytes: doorLimit(operationTable[id]) }),
);
const LIMITS = [...new Set(NAMED.map((each) => each.limitBytes))].sort((a, b) => b - a);

/** Bytes of the longest message of all. */
export const MESSAGE_BYTES_MAX = ENVELOPE_BYTES + Math.max(...LIMITS);

/** Returns the limit that a message exceeds, by the operations that it names; undefined for none. */
export function exceededLimit(message: Uint8Array): number | undefined {
  if (message.length <= ENVELOPE_BYTES) return undefined;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  for (const limit of LIMITS) {
    const names = NAMED.filter((each) => each.limitBytes === limit);
    if (!names.some(({ name }) => bytes.includes(name))) continue;
    return message.length > limit + ENVELOPE_BYTES ? limit + ENVELOPE_BYTES : undefined;
  }
  return ENVELOPE_BYTES;
}
