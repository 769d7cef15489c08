import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Watch } from './watch.ts';

/** A `fetch` over sockets and from an address of its own; the watch gets every answer. */
export interface Socket {
  fetch(request: Request, init?: RequestInit): Promise<Response>;
  close(): void;
}

/** Shorter than the hub keeps a connection, so that no request meets one that is being closed. */
const IDLE_MS = 20_000;
/** Answers that have no body (RFC 9110). */
const BARE = [204, 304];

export function openSocket(hub: number, localAddress: string, watch: Watch): Socket {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, localAddress });
  return {
    async fetch(request, init) {
      const { pathname } = new URL(request.url);
      const beganAt = performance.now();
      const place = (): { hub: number; path: string; beganAt: number; endedAt: number } => {
        const path = `${request.method} ${pathname}`;
        return { hub, path, beganAt, endedAt: performance.now() };
      };
      try {
        const answer = await send(request, agent, init?.signal ?? request.signal);
        const status = answer.statusCode ?? 0;
        const body = await text(answer);
        watch.answered({ ...place(), status, code: status < 400 ? '' : codeOf(body) });
        const headers = Object.entries(answer.headers).map(([name, value]) => [
          name,
          String(value),
        ]);
        return new Response(BARE.includes(status) ? null : body, {
          status,
          headers: headers as [string, string][],
        });
      } catch (error) {
        watch.lost({ ...place(), why: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

async function send(request: Request, agent: Agent, signal: AbortSignal): Promise<IncomingMessage> {
  const { hostname, port, pathname, search } = new URL(request.url);
  const { method } = request;
  const body = Buffer.from(await request.arrayBuffer());
  const headers = {
    ...Object.fromEntries(request.headers),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  };
  return new Promise((resolve, reject) => {
    const sent = ask(
      { agent, hostname, port, path: pathname + search, method, headers, signal },
      resolve,
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

function codeOf(body: string): string {
  return /"code":"([a-z0-9-]+)"/.exec(body)?.[1] ?? 'without a code';
}
