import type { IncomingMessage } from 'http';
import { HubError } from '../hub/errors.ts';

/** The caller left in the middle of its body; that is no fault of the hub's. */
export function cutShort(): HubError {
  const error = 'The body did not arrive whole.';
  return new HubError('bad-request', { error, field: 'body' }, { connection: 'close' });
}

/** The rest of an oversize body is thrown away and the connection closed after the answer. */
export function tooLarge(request: IncomingMessage, limit: number): HubError {
  request.resume();
  const error = `The body is over ${limit} bytes.`;
  return new HubError('body-too-large', { error, field: 'body' }, { connection: 'close' });
}
