import type { StreamedField } from '../hub/call.ts';

/**
 * A JSON object whose last field is base64 of bytes that are read as fast as the caller takes them.
 */
export async function* jsonWith(
  body: unknown,
  { field, source }: StreamedField,
): AsyncGenerator<Buffer> {
  const { [field]: _, ...rest } = body as Readonly<Record<string, unknown>>;
  yield Buffer.from(`${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(field)}:"`);
  let left: Uint8Array = new Uint8Array(0);
  for await (const chunk of source) {
    const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    const cut = bytes.length - (bytes.length % 3);
    left = bytes.subarray(cut);
    yield base64(bytes.subarray(0, cut));
  }
  yield base64(left);
  yield Buffer.from('"}');
}

/** As bytes: a text would be gone through once more for letters that take more than one. */
function base64(bytes: Uint8Array): Buffer {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Buffer.from(view.toString('base64'), 'latin1');
}
