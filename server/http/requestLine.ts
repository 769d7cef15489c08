import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Flight, Held } from '../../workflows/kernel/flight.ts';

/** Memory of a parsed request that waits behind another one, beside the bytes of its headers. */
const WAITING_BYTES = 4_096;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly held: Held;
}

/**
 * Runs the requests of one connection in order (RFC 9112 9.3.2 allows pipelining). While one is
 * answered the socket is not read. Waiting requests count against the budgets of `flight`, and are
 * discarded when the connection closes (threats.pipelined).
 */
export function inLine(
  serve: RequestListener,
  flight: Flight,
  addressOf: (request: IncomingMessage) => string,
): RequestListener {
  const parts = { serve, flight, addressOf };
  const lines = new WeakMap<Duplex, Line>();
  return (request, response) => {
    const { socket } = request;
    let line = lines.get(socket);
    if (line === undefined) {
      line = new Line(parts, socket);
      lines.set(socket, line);
    }
    line.take(request, response);
  };
}

interface LineParts {
  readonly serve: RequestListener;
  readonly flight: Flight;
  readonly addressOf: (request: IncomingMessage) => string;
}

class Line {
  readonly #parts: LineParts;
  readonly #socket: IncomingMessage['socket'];
  readonly #waiting: Waiting[] = [];
  #isBusy = false;

  constructor(parts: LineParts, socket: IncomingMessage['socket']) {
    this.#parts = parts;
    this.#socket = socket;
    socket.once('close', () => {
      for (const { held } of this.#waiting.splice(0)) held.leave();
    });
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#isBusy) {
      this.#run(request, response);
      return;
    }
    const socket = this.#socket;
    const { flight, addressOf } = this.#parts;
    const held = flight.enter(addressOf(request), () => socket.destroy());
    this.#waiting.push({ request, response, held });
    held.add(WAITING_BYTES + request.rawHeaders.reduce((sum, text) => sum + text.length, 0));
    socket.pause();
  }

  #run(request: IncomingMessage, response: ServerResponse): void {
    this.#isBusy = true;
    response.once('close', () => this.#next());
    this.#parts.serve(request, response);
  }

  #next(): void {
    this.#isBusy = false;
    if (this.#socket.destroyed) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    next.held.leave();
    if (this.#waiting.length === 0) this.#socket.resume();
    this.#run(next.request, next.response);
  }
}
