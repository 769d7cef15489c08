import type { IncomingMessage } from 'http';
import { HubError } from '../hub/errors.ts';

/** An operation without a body takes none, and an empty object for none. */
export const NO_BODY_BYTES = 2;

/** The caller left in the middle of its body; that is no fault of the hub's. */
export function cutShort(): HubError {
  const error = 'The body did not arrive whole.';
  return new HubError('bad-request', { error, field: 'body' }, { connection: 'close' });
}

/** The rest of an oversize body is thrown away and the connection closed after the answer. */
export function tooLarge(request: IncomingMessage, limit: number): HubError {
  request.resume();
  const error =
    limit <= NO_BODY_BYTES
      ? 'This operation takes no body.'
      : `The body is over the ${limit} bytes that are read here.`;
  return new HubError('body-too-large', { error, field: 'body' }, { connection: 'close' });
}
