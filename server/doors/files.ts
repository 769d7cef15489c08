import { FILE_DOOR_BYTES_MAX } from '../../domain/memory/limits.ts';
import { isObject } from '../../domain/jsonObject.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import type { Exchange } from '../middleware/exchange.ts';
import { receiveUpload } from '../middleware/upload.ts';
import type { AnyReply, WireInput } from '../http/wire.ts';

/**
 * Files at the agent doors. Over HTTP their bytes are decoded and sent as they move; a message of a
 * door is parsed and written whole, so a file has `FILE_DOOR_BYTES_MAX` there (choices doors.files).
 */

/** Bytes of arguments with the largest file in base64; the refusal of a larger one names its size. */
const FILE_ARGUMENTS_MAX = Math.ceil(FILE_DOOR_BYTES_MAX / 3) * 4 + 16_384;
/** Letters that are decoded at once. */
const STEP = 16_384;

/** Bytes of the body that an operation takes at a door. */
export function doorLimit({ body }: OperationSpec): number {
  return body?.streamed === undefined ? (body?.limitBytes ?? 0) : FILE_ARGUMENTS_MAX;
}

/**
 * Moves the file in an argument to the folder of uploads, as the HTTP door does before a call. The
 * digest stands in its place, so the same call over either door has the same idempotency record.
 */
export async function withUpload(
  exchange: Exchange,
  { body }: OperationSpec,
  input: WireInput,
  folder: string,
): Promise<WireInput> {
  const field = body?.streamed;
  if (field === undefined || !isObject(input.body)) return input;
  const { [field]: text } = input.body;
  if (typeof text !== 'string') return input;
  const file = await receiveUpload(folder);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += STEP) await file.take(bytes.subarray(at, at + STEP));
    exchange.upload = await file.end();
  } catch (error) {
    await file.discard();
    throw error;
  }
  return { ...input, body: { ...input.body, [field]: exchange.upload.sha256 } };
}

/** The reply with the bytes that HTTP would have streamed. */
export async function withBytes({ streamed, ...reply }: AnyReply): Promise<AnyReply> {
  if (streamed === undefined) return reply;
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamed.source) chunks.push(chunk);
  const body = isObject(reply.body) ? reply.body : {};
  return {
    ...reply,
    body: { ...body, [streamed.field]: Buffer.concat(chunks).toString('base64') },
  };
}
