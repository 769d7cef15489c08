import type { IncomingMessage } from 'node:http';
import { refuse } from '../../workflows/kernel/errors.ts';
import { hasBody } from './bodyRefusals.ts';

/**
 * Refuses what HTTP asks a server to refuse and Node's parser lets pass (choices pipeline.http): a
 * request that two readers could take for different ones.
 */
export function mustBeSound(request: IncomingMessage): void {
  if (request.httpVersionMajor !== 1) refuse('bad-request', OLD, { connection: 'close' });
  mustHaveOneHost(request);
  mustBeUncoded(request);
}

/** Node's parser takes a line without a version for HTTP/0.9. */
const OLD = {
  error: 'The request line names no version of HTTP/1.',
  hint: 'Send it again as HTTP/1.1.',
};

/** A registered name, IPv4 or bracketed IPv6 address with an optional port (RFC 9112 3.2). */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?::\d{0,5})?$/;
const HOST_V6 = /^\[[0-9A-Fa-f:.]{2,45}\](?::\d{0,5})?$/;

/** RFC 9112 3.2: one Host, also in a request that names its authority in the target. */
function mustHaveOneHost({
  rawHeaders,
  httpVersionMajor,
  httpVersionMinor,
}: IncomingMessage): void {
  const hosts = valuesOf(rawHeaders, 'host');
  const [host] = hosts;
  if (host === undefined) {
    if (httpVersionMajor === 1 && httpVersionMinor === 0) return;
    return refuseHeader(
      'host',
      'HTTP/1.1 asks for a Host header.',
      'Send it again with the header `Host`: the name and port that you connect to.',
    );
  }
  const hint = 'Send it again with one header `Host`: the name and port that you connect to.';
  if (hosts.length > 1) refuseHeader('host', 'The request has more than one Host header.', hint);
  if (!HOST.test(host) && !HOST_V6.test(host)) {
    refuseHeader('host', 'The Host header is no name with an optional port.', hint);
  }
}

/**
 * A body is read as it came: one that is compressed, or under a transfer coding beside `chunked`,
 * would be taken for another (RFC 9110 8.4, RFC 9112 6.1).
 */
function mustBeUncoded(request: IncomingMessage): void {
  const { 'transfer-encoding': transfer, 'content-encoding': coding } = request.headers;
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked') {
    const error = `The transfer coding ${JSON.stringify(transfer.slice(0, 80))} is not read here.`;
    refuseHeader(
      'transfer-encoding',
      error,
      'Send it again with Content-Length, or with `Transfer-Encoding: chunked` alone.',
    );
  }
  if (transfer !== undefined && request.httpVersion === '1.0') {
    const error = 'HTTP/1.0 has no Transfer-Encoding.';
    refuseHeader(
      'transfer-encoding',
      error,
      'Send it again with Content-Length, or over HTTP/1.1.',
    );
  }
  if (coding === undefined || !hasBody(request)) return;
  const codings = coding.split(',').map((each) => each.trim().toLowerCase());
  if (codings.every((each) => each === '' || each === 'identity')) return;
  const error = `The content coding ${JSON.stringify(coding.slice(0, 80))} is not read here.`;
  const hint = 'Send it again with the body uncompressed and without Content-Encoding.';
  refuseHeader('content-encoding', error, hint, { 'accept-encoding': 'identity' });
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const each = rawHeaders[at] ?? '';
    if (each.length === name.length && each.toLowerCase() === name) {
      values.push(rawHeaders[at + 1] ?? '');
    }
  }
  return values;
}

/** The connection is closed: what follows on it may be part of what was not understood. */
function refuseHeader(
  name: string,
  error: string,
  hint: string,
  headers: Readonly<Record<string, string>> = {},
): never {
  const field = `header.${name}`;
  return refuse('bad-request', { error, hint, field }, { ...headers, connection: 'close' });
}
