import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Real endpoints, one for each seat of a town: each answers every case at once. */
export interface Judges {
  /** What the operator must open for them, as `HUB_ALLOW_PRIVATE_HOSTS` takes it. */
  readonly pairs: string;
  endpointOf(place: number): string;
  close(): Promise<void>;
}

export async function openJudges(count: number): Promise<Judges> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const pairs = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    pairs: pairs.join(),
    endpointOf: (place) => `http://${pairs[place % count]}/verdict`,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function listen(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.end(JSON.stringify({ verdict: 'accepted', reason: 'So.' })));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
