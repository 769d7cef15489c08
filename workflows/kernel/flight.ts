/**
 * Bytes that requests hold in this process: bodies that are still arriving and answers that are
 * still unread. They count from the first byte, for each address and for the process. Over a
 * budget, the request that moved the fewest bytes a second is dropped (threats.unread).
 */
export interface Flight {
  /** A request of an address; `drop` ends it and is called at most once. */
  enter(address: string, drop: (whose: 'address' | 'process') => void): Held;
  readonly bytes: number;
}

export interface Held {
  /** Counts bytes more, or fewer when negative. */
  add(bytes: number): void;
  leave(): void;
}

interface FlightBudget {
  readonly address: number;
  readonly process: number;
}

const FLIGHT_BUDGET: FlightBudget = { address: 67_108_864, process: 268_435_456 };

/** The budget of one of `workers` processes; the largest upload fits into each. */
export function flightBudget(workers: number): FlightBudget {
  const { address, process } = FLIGHT_BUDGET;
  return { address, process: Math.max(address, Math.floor(process / workers)) };
}

interface Request {
  readonly address: string;
  readonly since: number;
  readonly drop: (whose: 'address' | 'process') => void;
  bytes: number;
  moved: number;
}

/** @param now Milliseconds that only rise. */
export function openFlight(now: () => number, budget = FLIGHT_BUDGET): Flight {
  const byAddress = new Map<string, { readonly requests: Set<Request>; bytes: number }>();
  let total = 0;
  const count = (request: Request, bytes: number): void => {
    request.bytes += bytes;
    total += bytes;
    const place = byAddress.get(request.address);
    if (place !== undefined) place.bytes += bytes;
  };
  const leave = (request: Request): void => {
    const place = byAddress.get(request.address);
    if (place?.requests.has(request) !== true) return;
    count(request, -request.bytes);
    place.requests.delete(request);
    if (place.requests.size === 0) byAddress.delete(request.address);
  };
  const dropSlowest = (requests: Iterable<Request>, whose: 'address' | 'process'): void => {
    const slowest = slowestOf(requests, now());
    if (slowest === undefined) return;
    leave(slowest);
    slowest.drop(whose);
  };
  return {
    get bytes() {
      return total;
    },
    enter(address, drop) {
      const request = { address, since: now(), drop, bytes: 0, moved: 0 };
      const place = byAddress.get(address) ?? { requests: new Set(), bytes: 0 };
      byAddress.set(address, place);
      place.requests.add(request);
      return {
        add(bytes) {
          if (!place.requests.has(request)) return;
          request.moved += Math.abs(bytes);
          count(request, bytes);
          if (place.bytes > budget.address) dropSlowest(place.requests, 'address');
          else if (total > budget.process) dropSlowest(requestsOf(byAddress.values()), 'process');
        },
        leave: () => leave(request),
      };
    },
  };
}

function* requestsOf(places: Iterable<{ readonly requests: Set<Request> }>): Iterable<Request> {
  for (const { requests } of places) yield* requests;
}

/** To drop less than this would free nothing, and a long poll is slow with good reason. */
const WORTH_BYTES = 4_096;

function slowestOf(requests: Iterable<Request>, at: number): Request | undefined {
  let slowest: Request | undefined;
  let least = Infinity;
  for (const request of requests) {
    const rate = request.moved / Math.max(1, at - request.since);
    if (request.bytes < WORTH_BYTES || rate >= least) continue;
    [slowest, least] = [request, rate];
  }
  return slowest;
}
