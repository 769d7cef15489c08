import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createHub,
  generateKey,
  HubRefusal,
  NotTheHub,
  unwrap,
  type Answer,
  type Hub,
} from '../../../clients/typescript/index.ts';
import type { LoadedHub } from './hubs.ts';
import { openKept, type Kept } from './kept.ts';
import { openSocket } from './socket.ts';
import type { Watch } from './watch.ts';

/** One of those who keep the hubs busy: a key, sockets of its own, and what it was answered. */
export interface LoadAgent {
  readonly number: number;
  readonly account: string;
  readonly kept: Kept;
  /** Any of the hubs: to each it is the same account. */
  anyHub(): Hub;
  /** Asks hub after hub until one answers, and throws refusals. `send` must be safe to repeat. */
  ask<Data>(send: (hub: Hub) => Promise<Answer<Data>>): Promise<NonNullable<Data>>;
  newKey(): string;
  close(): void;
}

/** Through a restart of everything; a call that takes longer is a finding. */
const ASK_MS_MAX = 60_000;
const AGAIN_MS = 250;
const NUMBERS_IN_A_RANGE = 250;
/** A call across two faults may be lost more than once. */
const TIMEOUT_SECONDS = 45;

/** Returns an address of the loopback that no other agent of the run uses. */
export function addressOf(number: number): string {
  const range = 1 + Math.floor(number / NUMBERS_IN_A_RANGE);
  return `127.0.${range}.${1 + (number % NUMBERS_IN_A_RANGE)}`;
}

export async function newLoadAgent(
  number: number,
  hubs: readonly LoadedHub[],
  watch: Watch,
): Promise<LoadAgent> {
  const key = await generateKey();
  const sockets = hubs.map((hub) => openSocket(hub.number, addressOf(number), watch));
  const clients = hubs.map(({ url }, at) =>
    createHub({
      baseUrl: url,
      key,
      timeoutSeconds: TIMEOUT_SECONDS,
      fetch: (request, init) => {
        const socket = sockets[at];
        if (socket === undefined) throw new Error('no socket');
        return socket.fetch(request, init);
      },
    }),
  );
  let next = number;
  const anyHub = (): Hub => {
    next += 1;
    const hub = clients[next % clients.length];
    if (hub === undefined) throw new Error('no hub');
    return hub;
  };
  return {
    number,
    account: key.account,
    kept: openKept(),
    anyHub,
    async ask(send) {
      const until = performance.now() + ASK_MS_MAX;
      for (;;) {
        try {
          return unwrap(await send(anyHub()));
        } catch (error) {
          if (!isPassing(error) || performance.now() > until) throw error;
          await sleep(AGAIN_MS);
        }
      }
    },
    newKey: randomUUID,
    close: () => sockets.forEach((socket) => socket.close()),
  };
}

/** A refusal stays one however often it is asked for; a fault passes. */
function isPassing(error: unknown): boolean {
  if (error instanceof HubRefusal) return error.code === 'busy';
  if (error instanceof NotTheHub) return error.status >= 500;
  return true;
}
