import type { IncomingMessage } from 'http';
import type { Socket } from 'node:net';
import { HubError } from '../../workflows/kernel/errors.ts';

/** An operation without a body takes none, and an empty object for none. */
export const NO_BODY_BYTES = 2;

/** The caller left in the middle of its body; that is no fault of the hub's. */
export function cutShort(): HubError {
  const error = 'The body did not arrive whole.';
  return new HubError('bad-request', { error, field: 'body' }, { connection: 'close' });
}

/** How long a sender may go on after its refusal before the connection is cut. */
const LINGER_MS = 2_000;

export function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/** A body that is thrown away while its connection stays open; a longer one costs the connection. */
const SHORT_BYTES = 65_536;

/** Returns the connection header for the answer to a request whose body was not read. */
export function leaveBody(request: IncomingMessage): Readonly<Record<string, string>> {
  const length = request.headers['content-length'];
  const isShort = length !== undefined && Number(length) <= SHORT_BYTES;
  if (request.complete || !hasBody(request) || isShort) return {};
  closeAfter(request);
  return { connection: 'close' };
}

/** The rest of a body is thrown away and the connection closed after the answer. */
function closeAfter(request: IncomingMessage): void {
  request.resume();
  linger(request.socket);
}

/** An oversize body is read no further. */
export function tooLarge(request: IncomingMessage, limit: number): HubError {
  closeAfter(request);
  const error =
    limit <= NO_BODY_BYTES
      ? 'This operation takes no body.'
      : `The body is over the ${limit} bytes that are read here.`;
  const hint = smallerBody(request.url ?? '', limit);
  return new HubError('body-too-large', { error, field: 'body', hint }, { connection: 'close' });
}

/** Bodies for whose content there is a better place than the call itself. */
const WITH_FILES = /^\/(?:api\/v1\/(?:tasks|chains|memory)|mcp|a2a)\b/;
const FILES = /^\/api\/v1\/files\b/;

/** Returns the hint for a body above the limit of the operation at a path. */
export function smallerBody(path: string, limit: number): string {
  if (limit <= NO_BODY_BYTES) return 'Send the call again without a body.';
  if (FILES.test(path)) {
    return 'Split the file into parts of at most 32 MB over HTTP, or 1 MB over MCP and A2A, and send the call again for each part under a key of its own; `parts` joins those of up to 32 MB.';
  }
  const smaller = 'Send the call again with a smaller body; nothing was stored.';
  return WITH_FILES.test(path)
    ? `${smaller} Large content is stored as a file: \`POST /api/v1/files\` takes 32 MB over HTTP, and 1 MB over MCP and A2A; \`files\` of a brief or a result then names it.`
    : smaller;
}

/** Reads on after the answer: a cut during the upload loses it, and a proxy then sends 502. */
function linger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}

/** The slowest of too many bodies that come at once. */
export function dropped(whose: 'address' | 'process'): HubError {
  const headers = { connection: 'close', 'retry-after': '1' };
  const error = `Too many bodies are on their way ${whose === 'address' ? 'from this address' : 'to the hub'}, and this was the slowest.`;
  const wait = { retryAfterSeconds: 1 };
  return whose === 'address'
    ? new HubError('rate-limited', { error, ...wait }, headers)
    : new HubError('busy', { error, ...wait }, headers);
}
