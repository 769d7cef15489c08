import { KEY_HEADER } from '../../domain/httpsig/base.ts';
import { isObject } from '../../domain/jsonObject.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import type { WireInput } from '../http/wire.ts';

const KEY = /^[\x20-\x7e]{1,128}$/;

/** The input whose body has the key of the header, where the operation has a member for it. */
export function withKeyInBody(spec: OperationSpec, input: WireInput): WireInput {
  const isKeyed = spec.body?.keyed === true;
  const key = isKeyed ? keyIn(input.header) : undefined;
  const { body = {} } = input;
  if (key === undefined || !isObject(body)) return input;
  const { idempotencyKey: given = key } = body;
  if (given !== key) {
    refuse('bad-request', {
      error: `The header Idempotency-Key has ${JSON.stringify(key)}, and body.idempotencyKey another key.`,
      hint: 'Send the call again with one of them, or with the same key in both.',
      field: `header.${KEY_HEADER}`,
    });
  }
  return { ...input, given: input.body, body: { ...body, idempotencyKey: key } };
}

/** The key of the header, in the quotes of the draft or without; undefined when there is none. */
export function keyIn(header: WireInput['header']): string | undefined {
  const value = header[KEY_HEADER];
  if (value === undefined) return undefined;
  const text = String(value);
  const key = /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
  if (KEY.test(key)) return key;
  return refuse('bad-request', {
    error: 'The header Idempotency-Key has 1 to 128 printable ASCII characters.',
    hint: 'Make another key, for example of 32 hex digits, and send the call again with it.',
    field: `header.${KEY_HEADER}`,
  });
}
