import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHub, generateKey } from '../../../clients/typescript/index.ts';
import { addressOf } from './agents.ts';
import type { LoadedHub } from './hubs.ts';
import { openSocket } from './socket.ts';
import type { Watch } from './watch.ts';
import { between, pick } from './world.ts';

/**
 * Hostile visitors, an address each: 4 MB bodies, no key, new keys, clients that do not read,
 * endless bodies, bytes that are no HTTP. They are few and slow, so that only their cost shows.
 */
export interface Visitors {
  readonly counts: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

type HostileRequest = (hub: LoadedHub, at: string) => Promise<void>;

const FIRST_NUMBER = 5_000;
const LARGE_BYTES = 4_194_304;
const HOLD_MS = 20_000;
const PIPELINED = 200;
const UNREAD = '/api/v1/openapi.json';
const STRANGE_PATHS = ['/api/v1/me', '/api/v1/wallet/key:x', '/wp-login.php', '/api/v1/tasks/%00'];

export function startVisitors(hubs: readonly LoadedHub[], watch: Watch): Visitors {
  const counts = new Map<string, number>();
  let going = true;
  const send = async (hub: LoadedHub, at: string, request: Request): Promise<void> => {
    const socket = openSocket(hub.number, at, watch);
    try {
      await socket.fetch(request);
    } finally {
      socket.close();
    }
  };
  const requests: readonly (readonly [name: string, restMs: number, make: HostileRequest])[] = [
    ['body of 4 MB', 2_000, (hub, at) => sendLarge(hub, at)],
    [
      'without a key',
      250,
      (hub, at) => {
        const url = hub.url + (pick(STRANGE_PATHS) ?? '/');
        const body = pick([undefined, '{', '{"amount":"1"}']);
        const method = body === undefined ? 'GET' : 'POST';
        return send(hub, at, new Request(url, { method, ...(body !== undefined && { body }) }));
      },
    ],
    ['fresh key', 1_500, (hub, at) => comeWithFreshKey(hub, at, watch)],
    ['does not read', 4_000, (hub, at) => hold(hub, at, unread(hub))],
    ['does not read', 4_000, (hub, at) => hold(hub, at, unread(hub))],
    ['unfinished body', 3_000, (hub, at) => hold(hub, at, unfinished(hub))],
    ['unfinished body', 3_000, (hub, at) => hold(hub, at, unfinished(hub))],
    ['no HTTP', 2_000, (hub, at) => hold(hub, at, '\u0016\u0003\u0001 hello\r\n\r\n')],
  ];
  const lanes = requests.map(async ([name, restMs, make], n) => {
    const at = addressOf(FIRST_NUMBER + n);
    while (going) {
      const hub = pick(hubs);
      // A visitor that is cut off got what it came for; the watch has seen what a hub answered.
      if (hub !== undefined) await make(hub, at).catch(() => undefined);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      await sleep(between(restMs / 2, restMs * 1.5));
    }
  });
  return {
    counts,
    async stop() {
      going = false;
      await Promise.all(lanes);
    },
  };
}

async function comeWithFreshKey(hub: LoadedHub, at: string, watch: Watch): Promise<void> {
  const socket = openSocket(hub.number, at, watch);
  const { fetch } = socket;
  const client = createHub({ baseUrl: hub.url, key: await generateKey(), retry: false, fetch });
  try {
    await client.GET('/api/v1/me');
  } finally {
    socket.close();
  }
}

/** Written without a look at what comes back: the hub may have refused it and hung up. */
function sendLarge(hub: LoadedHub, at: string): Promise<void> {
  const body = `"${'x'.repeat(LARGE_BYTES - 2)}"`;
  return hold(hub, at, `${head('POST', '/api/v1/tasks', hub, body.length)}${body}`, 2_000);
}

const unread = (hub: LoadedHub): string => head('GET', UNREAD, hub, 0).repeat(PIPELINED);
const unfinished = (hub: LoadedHub): string => `${head('POST', '/api/v1/tasks', hub, 100_000)}{"`;

function head(method: string, path: string, hub: LoadedHub, length: number): string {
  return [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(hub.url).host}`,
    'content-type: application/json',
    `content-length: ${length}`,
    '\r\n',
  ].join('\r\n');
}

/** Sends and never reads, until the hub hangs up or some seconds are over. */
function hold(hub: LoadedHub, at: string, sent: string, holdMs = HOLD_MS): Promise<void> {
  const { hostname, port } = new URL(hub.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: at });
    const timer = setTimeout(() => socket.destroy(), holdMs);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.pause();
    socket.write(sent);
  });
}
