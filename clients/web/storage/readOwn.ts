import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { bytesOf } from '../parts/files.ts';

interface Own {
  readonly owner: string;
  readonly key: string;
  readonly bytes: number;
}

/** Four letters of the answer are three bytes of the file. */
const BYTES_OF_LETTER = 3 / 4;

/**
 * Reads a file of the account in one paid answer, and reports how much of it has arrived: asked for
 * in parts, each would be paid for as a read of its own.
 */
export async function readOwn(
  hub: Hub,
  { owner, key, bytes }: Own,
  onPart: (done: number) => void,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const init = { params: { path: { owner, key } }, parseAs: 'stream' as const };
  const reply = await hub.GET('/api/v1/files/{owner}/{key}', {
    ...init,
    ...(signal && { signal }),
  });
  const body: ReadableStream<Uint8Array> | null = unwrap(reply);
  let arrived = 0;
  onPart(0);
  const text = await textOf(body, (part) => {
    arrived += part.length;
    onPart(Math.min(bytes, Math.floor(arrived * BYTES_OF_LETTER)));
  });
  const { contentBase64 } = JSON.parse(text) as { readonly contentBase64: string };
  return bytesOf(contentBase64);
}

/** The text of an answer, with each part of it as it arrives. */
export async function textOf(
  body: ReadableStream<Uint8Array> | null,
  onPart: (part: string) => void,
): Promise<string> {
  const parts: string[] = [];
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (let isOver = reader === undefined; !isOver;) {
    const read = await reader?.read();
    isOver = read?.done ?? true;
    const part = decoder.decode(read?.value, { stream: !isOver });
    parts.push(part);
    onPart(part);
  }
  return parts.join('');
}
