import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Conduct, Vote } from './model/types.ts';

/** Endpoints of a town's seats. Panel cases wait for the driver, so answers come one by one. */
export interface Judges {
  /** The pairs that the operator must open for them, as `HUB_ALLOW_PRIVATE_HOSTS` takes it. */
  readonly pairs: string;
  endpointOf(place: number): string;
  /** Whether synthetic cases are answered in the right form from now on. */
  probes(place: number, isProbedWell: boolean): void;
  /** Cases that came in and wait for an answer. */
  readonly cases: Case[];
  close(): Promise<void>;
}

export interface Case {
  readonly endpoint: string;
  readonly taskId: string;
  readonly attemptId: string;
  /** How often this endpoint was asked about this result, this time with it. */
  readonly nth: number;
  answer(conduct: Conduct, vote: Vote | undefined): void;
}

interface Received {
  readonly taskId: string;
  readonly attemptId: string;
  readonly title: string;
}

const SYNTHETIC = 'Synthetic case';

export async function openJudges(count: number): Promise<Judges> {
  const cases: Case[] = [];
  const pairs: string[] = [];
  const endpointOf = (place: number): string => `http://${pairs[place % count]}/verdict`;
  const badlyProbed = new Set<number>();
  const asked = new Map<string, number>();
  const receive = (place: number, body: Received, response: ServerResponse): void => {
    const { taskId, attemptId, title } = body;
    if (title.startsWith(SYNTHETIC)) {
      answer(response, badlyProbed.has(place) ? 'rubbish' : 'accepts', 'accepted');
      return;
    }
    const say: Case['answer'] = (conduct, vote) => answer(response, conduct, vote);
    const nth = (asked.get(`${place} ${attemptId}`) ?? 0) + 1;
    asked.set(`${place} ${attemptId}`, nth);
    const received = { endpoint: endpointOf(place), taskId, attemptId, nth, answer: say };
    cases.push(received);
    // A hub that is gone waits for nothing.
    response.once('close', () => {
      if (cases.includes(received)) cases.splice(cases.indexOf(received), 1);
    });
  };
  const servers = await Promise.all(
    Array.from({ length: count }, (_, place) =>
      listen((body, response) => receive(place, body, response)),
    ),
  );
  for (const server of servers) {
    pairs.push(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  return {
    pairs: pairs.join(),
    endpointOf,
    probes(place, isProbedWell) {
      if (isProbedWell) badlyProbed.delete(place % count);
      else badlyProbed.add(place % count);
    },
    cases,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** A vote in one of its forms, or one of the ways to give none. */
function answer(response: ServerResponse, conduct: Conduct, vote: Vote | undefined): void {
  if (vote === undefined && conduct === 'broken') response.writeHead(500).end('accepted');
  else if (vote === undefined && conduct !== 'rubbish') response.destroy();
  else if (conduct === 'rubbish') response.end('{"verdict":"maybe"}');
  else if (conduct === 'worded') response.end(`${vote}: so it is.`);
  else response.end(JSON.stringify({ verdict: vote, reason: 'So.' }));
}

function listen(receive: (body: Received, response: ServerResponse) => void): Promise<Server> {
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => receive(body, response),
      () => response.destroy(),
    );
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function bodyOf(request: IncomingMessage): Promise<Received> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as Received;
}
