import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface AnswersUnderWay {
  /** Notes a request that came, until it is answered or its connection is gone. */
  add(request: IncomingMessage, response: ServerResponse): void;
  all(): readonly ServerResponse[];
  /** The one that a connection is owed last. */
  lastOf(connection: Duplex): ServerResponse | undefined;
}

/** Groups answers by connection: Node emits no close event for an answer behind another one. */
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
    all: () => [...byConnection.values()].flatMap((answers) => [...answers]),
    lastOf: (connection) => [...(byConnection.get(connection) ?? [])].at(-1),
  };
}
