import type { StreamedField } from '../hub/call.ts';

/**
 * A JSON object whose last field is base64 of bytes that are read as fast as the caller takes them.
 */
export async function* jsonWith(
  body: unknown,
  { field, source }: StreamedField,
): AsyncGenerator<string> {
  const { [field]: _, ...rest } = body as Readonly<Record<string, unknown>>;
  yield `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(field)}:"`;
  let left: Uint8Array = new Uint8Array(0);
  for await (const chunk of source) {
    const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    const cut = bytes.length - (bytes.length % 3);
    left = bytes.subarray(cut);
    yield base64(bytes.subarray(0, cut));
  }
  yield `${base64(left)}"}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
