import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { openAnswersUnderWay } from '../http/answersUnderWay.ts';
import {
  limitConnections,
  type ConnectionLimits,
  type OpenConnections,
} from '../http/connections.ts';
import type { Entrance } from './entrance.ts';
import { addressPartition } from '../../workflows/kernel/addressPartition.ts';
import { HubError, wireRefusal, type RefusalDetail } from '../../workflows/kernel/errors.ts';
import type { Flight } from '../../workflows/kernel/flight.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { inLine } from '../http/requestLine.ts';

/** Bytes of request line and headers; a signature, a digest and a payment fit many times over. */
const HEADER_BYTES_MAX = 16_384;
/** Milliseconds for a request to arrive whole. Long polls and streams wait on the answer's side. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How late a timeout may be noticed; Node's own half minute would double what the refusal says. */
const TIMEOUT_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 65_000;
const QUIET_TURN_MS = 1;
/** A hub under load may have no such turn. */
const QUIET_MS_MAX = 200;

interface Access {
  readonly connectionsMax: ConnectionLimits;
  readonly entrance: Entrance;
}

export interface Listening {
  readonly server: Server;
  /** `host:port`. */
  readonly address: string;
  /** Accepts no more connections. Those that are open are served, each to its next answer. */
  leave(): Promise<void>;
  readonly connections: OpenConnections;
}

/** Listens; also what Node refuses before any middleware runs gets the JSON error body. */
export async function listen(
  app: Koa,
  hub: Hub,
  flight: Flight,
  { connectionsMax, entrance }: Access,
): Promise<Listening> {
  const callback = app.callback();
  const { trustedProxies } = hub.settings;
  const answer = inLine(
    (request, response) => void callback(request, response),
    flight,
    (request) => addressPartition(trustedProxies.callerOf(request)),
  );
  const underWay = openAnswersUnderWay();
  let isLast = false;
  const { tls } = hub.settings;
  const files = tls && { cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
  const create = (files === undefined ? createServer : createTlsServer) as typeof createServer;
  const server = create(
    {
      ...files,
      maxHeaderSize: HEADER_BYTES_MAX,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node's own refusal has no body; `mustBeSound` refuses the same in the hub's words.
      requireHostHeader: false,
    },
    (request, response) => {
      underWay.add(request, response);
      // Node then adds `Connection: close`, so that the client sends no further request on it.
      if (isLast) response.shouldKeepAlive = false;
      response.once('close', () => {
        // A stream may have begun before: its connection would stay open for a minute.
        if (isLast) request.socket.end();
      });
      answer(request, response);
    },
  );
  const connections = limitConnections(server, connectionsMax, (ip) => trustedProxies.has(ip));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refuseNow = (): void => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else socket.end(bareRefusal(error, hub));
    };
    const before = underWay.lastOf(socket);
    // Bytes that cannot be read behind a whole request are the next one: its refusal waits its turn, or
    // the caller would take it for the answer to the first.
    if (before?.req.complete === true && !before.writableFinished) before.once('finish', refuseNow);
    else refuseNow();
  });
  // CONNECT has no meaning here; without a listener Node would drop it silently. Upgrade has no
  // listener on purpose: clients that offer h2c are then answered in HTTP/1.1 (RFC 9110 7.8).
  server.on('connect', (_: unknown, socket: Duplex) => {
    socket.end(bareRefusal({ code: 'TUNNEL' }, hub));
  });
  // An expectation other than 100-continue may be left aside; Node alone would answer a bare 417.
  server.on('checkExpectation', answer);
  // The body is asked for once the headers were judged.
  server.on('checkContinue', answer);
  const { host, port } = hub.settings;
  const address = await entrance.open(server, { name: 'hub', host, port });
  return {
    server,
    address,
    connections,
    async leave() {
      if (isLast) return;
      await quietTurn();
      isLast = true;
      for (const response of underWay.all()) response.shouldKeepAlive = false;
      entrance.close(server);
    },
  };
}

/**
 * Waits for a turn of the event loop that took no time: the system resets connections that it holds
 * for a listener and that were not accepted when it closes, and such a turn has just accepted all.
 */
async function quietTurn(): Promise<void> {
  const end = performance.now() + QUIET_MS_MAX;
  for (let began = performance.now(); ; began = performance.now()) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (now - began < QUIET_TURN_MS || now > end) return;
  }
}

const NOT_HTTP = {
  error: 'The request is not HTTP/1.1 that the hub can read.',
  hint: 'Send `GET /api/v1` with a client of HTTP/1.1, such as curl, and compare the bytes of both.',
};
/** By the code of Node's error. */
const NOT_READ: Readonly<Record<string, RefusalDetail>> = {
  HPE_HEADER_OVERFLOW: {
    error: `The request line and headers are over ${HEADER_BYTES_MAX} bytes.`,
    hint: 'Leave out headers that the operation does not name, and send the rest again.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    error: `The request did not arrive within ${REQUEST_TIMEOUT_MS / 1000} s.`,
    hint: 'Send it again on a new connection, its body right after its headers.',
  },
  TUNNEL: {
    error: 'CONNECT is not served here.',
    hint: 'The hub is no proxy: send it `GET /api/v1` itself.',
  },
};

/** A whole HTTP answer for a request that Node could not parse. */
function bareRefusal(error: { readonly code?: string | undefined }, hub: Hub): string {
  const requestId = hub.ids.uuid();
  const detail = NOT_READ[error.code ?? ''] ?? NOT_HTTP;
  const refusal = new HubError('bad-request', detail, {});
  const body = JSON.stringify(wireRefusal(refusal, requestId, hub.settings.baseUrl).body);
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : '400 Bad Request';
  return [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    `x-request-id: ${requestId}`,
    'x-ratelimit-limit: 300',
    'x-ratelimit-remaining: 0',
    'x-ratelimit-policy: "anon";q=300;w=60;pk=ip',
    'x-content-type-options: nosniff',
    'access-control-allow-origin: *',
    '',
    body,
  ].join('\r\n');
}
