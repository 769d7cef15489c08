import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers that a server owes, on which a server that leaves closes connections. */
export interface AnswersUnderWay {
  /** Notes a request that came, until it is answered or its connection is gone. */
  add(request: IncomingMessage, response: ServerResponse): void;
  all(): Iterable<ServerResponse>;
}

/**
 * They are kept by connection: an answer that waits behind another one on a connection that closes
 * never says that it is closed itself, and would be kept for ever.
 */
export function openAnswersUnderWay(): AnswersUnderWay {
  const byConnection = new Map<Duplex, Set<ServerResponse>>();
  return {
    add({ socket }, response) {
      let answers = byConnection.get(socket);
      if (answers === undefined) {
        answers = new Set();
        byConnection.set(socket, answers);
        socket.once('close', () => byConnection.delete(socket));
      }
      const here = answers.add(response);
      response.once('close', () => here.delete(response));
    },
    *all() {
      for (const answers of byConnection.values()) yield* answers;
    },
  };
}
