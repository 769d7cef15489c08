import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Held } from '../../workflows/kernel/flight.ts';

/**
 * Writes a long answer no faster than its reader takes it. What was made and not yet read is
 * counted as in flight; a reader that takes nothing for half a minute is left (threats.unread).
 */
const READER_WAIT_MS = 30_000;
const SLICE_BYTES = 65_536;

/** Whether an answer is so long that it is worth the care. */
export function isLong(body: string | Buffer): boolean {
  return body.length > SLICE_BYTES;
}

/** Whether some of a written answer still waits in this process. */
export function isUnread({ socket }: ServerResponse): boolean {
  return socket !== null && socket.writableLength > 0;
}

/** Counts an ended answer as in flight until the client has taken it. */
export async function untilRead(response: ServerResponse, held: Held): Promise<void> {
  held.add(response.socket?.writableLength ?? 0);
  await took(response, 'finish');
}

export async function writeLong(
  response: ServerResponse,
  body: string | Buffer,
  held: Held,
): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  held.add(bytes.length);
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const slice = bytes.subarray(at, at + SLICE_BYTES);
    if (!response.write(slice) && !(await took(response, 'drain'))) return;
    held.add(-slice.length);
  }
  response.end();
}

/** @throws what the stream throws. */
export async function writeStream(response: ServerResponse, body: Readable): Promise<void> {
  const leave = (): void => void body.destroy();
  response.once('close', leave);
  try {
    for await (const chunk of body as AsyncIterable<string | Buffer>) {
      if (response.destroyed) return;
      if (!response.write(chunk) && !(await took(response, 'drain'))) return;
    }
    response.end();
  } catch (error) {
    // Half an answer must not look like a whole one.
    response.destroy();
    throw error;
  } finally {
    response.off('close', leave);
  }
}

/** Resolves to true when the client took what was written, to false when it left or was cut off. */
function took(response: ServerResponse, event: 'drain' | 'finish'): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (isRead: boolean) => (): void => {
      clearTimeout(timer);
      response.off(event, onTaken).off('close', onClose);
      if (!isRead) response.destroy();
      resolve(isRead);
    };
    const [onTaken, onClose] = [end(true), end(false)];
    const timer = setTimeout(onClose, READER_WAIT_MS);
    response.on(event, onTaken).on('close', onClose);
  });
}
