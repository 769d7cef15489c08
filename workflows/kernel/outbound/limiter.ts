import type { RequestContext } from './requestContext.ts';
import type { ConcurrencyLimits } from './limits.ts';
import { failed, type Failed } from './outcome.ts';

/** Lets a bounded number of hops through at once, in all and for each host, in order of arrival. */
export interface Limiter {
  /** A turn for one hop; it must be given back, once. */
  enter(host: string, context: RequestContext): Promise<Permit | Failed>;
  underWay(): number;
}
export interface Permit {
  readonly kind: 'turn';
  leave(): void;
}

interface Waiting {
  readonly host: string;
  readonly go: () => void;
}

export function openLimiter(concurrency: ConcurrencyLimits): Limiter {
  const inside = new Map<string, number>();
  const queued = new Map<string, number>();
  const queue = new Set<Waiting>();
  let underWay = 0;

  const hasRoom = (host: string): boolean =>
    underWay < concurrency.underWayMax && (inside.get(host) ?? 0) < concurrency.perHostMax;

  const permit = (host: string): Permit => {
    underWay += 1;
    add(inside, host, 1);
    return {
      kind: 'turn',
      leave() {
        underWay -= 1;
        add(inside, host, -1);
        letNextIn();
      },
    };
  };
  const letNextIn = (): void => {
    for (const waiting of queue) {
      if (underWay >= concurrency.underWayMax) return;
      if (hasRoom(waiting.host)) waiting.go();
    }
  };

  return {
    underWay: () => underWay,
    async enter(host, context) {
      if (context.signal.aborted) return context.why();
      if (hasRoom(host)) return permit(host);
      const hostFull = (queued.get(host) ?? 0) >= concurrency.waitingPerHostMax;
      if (hostFull || queue.size >= concurrency.waitingMax) {
        const whom = hostFull ? host : 'other hosts';
        return failed('busy', `The hub has too many calls to ${whom} under way; try again later.`);
      }
      return new Promise((resolve) => {
        const gone = (): void => {
          step();
          resolve(context.why());
        };
        const waiting: Waiting = {
          host,
          go() {
            step();
            resolve(permit(host));
          },
        };
        const step = (): void => {
          queue.delete(waiting);
          add(queued, host, -1);
          context.signal.removeEventListener('abort', gone);
        };
        queue.add(waiting);
        add(queued, host, 1);
        context.signal.addEventListener('abort', gone, { once: true });
      });
    },
  };
}

function add(counts: Map<string, number>, host: string, by: 1 | -1): void {
  const count = (counts.get(host) ?? 0) + by;
  if (count === 0) counts.delete(host);
  else counts.set(host, count);
}
