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
  const letters: string[] = [];
  const decoder = new TextDecoder();
  let arrived = 0;
  onPart(0);
  for (let reader = body?.getReader(); reader !== undefined;) {
    const { done, value } = await reader.read();
    letters.push(decoder.decode(value, { stream: !done }));
    if (done) break;
    arrived += value.length;
    onPart(Math.min(bytes, Math.floor(arrived * BYTES_OF_LETTER)));
  }
  const { contentBase64 } = JSON.parse(letters.join('')) as { readonly contentBase64: string };
  return bytesOf(contentBase64);
}
