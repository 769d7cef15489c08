/** The outside view of a run: each answer and each loss, held against the faults that it made. */
type FaultKind = 'kill' | 'end' | 'database' | 'connections' | 'clock';

interface Fault {
  readonly kind: FaultKind;
  readonly hubs: readonly number[];
  readonly beganAt: number;
  endedAt?: number;
}

interface Seen {
  readonly hub: number;
  readonly status: number;
  readonly code: string;
  readonly path: string;
  readonly beganAt: number;
  readonly endedAt: number;
}

interface Lost {
  readonly hub: number;
  readonly path: string;
  readonly why: string;
  readonly beganAt: number;
  readonly endedAt: number;
}

export interface Watch {
  /** Notes the beginning of a fault; the answer notes its end. */
  begin(kind: FaultKind, hubs: readonly number[]): () => void;
  answered(seen: Seen): void;
  lost(lost: Lost): void;
  /** Whether a fault of a hub fell into a span of time, what follows a fault included. */
  hadFault(hub: number, from: number, to: number, kinds?: readonly FaultKind[]): boolean;
  readonly faults: readonly Fault[];
  readonly statuses: ReadonlyMap<string, number>;
  /** Milliseconds of each answer of an agent outside of faults, a sample of them. */
  readonly tookMs: readonly number[];
  /** Answers above 499 that no fault explains, and answers lost without a fault. */
  readonly unexplained: readonly string[];
}

/** For so long after its end a fault may still be felt: pools reconnect, clients come back. */
const AFTERWARDS_MS = 3_000;
/** A clock that was set back refuses stamps until it has passed the minute that it had promised. */
const AFTER_CLOCK_MS = 120_000;
/** The number of answers in a thousand whose duration is stored. */
const SAMPLED = 50;
/** Texts that are kept; a run that comes so far is bad whatever follows. */
const UNEXPLAINED_MAX = 100_000;

export function openWatch(now: () => number = () => performance.now()): Watch {
  const faults: Fault[] = [];
  const statuses = new Map<string, number>();
  const tookMs: number[] = [];
  const unexplained: string[] = [];
  let answers = 0;
  const overlaps = (fault: Fault, from: number, to: number, afterMs: number): boolean =>
    fault.beganAt <= to && (fault.endedAt ?? Infinity) + afterMs >= from;
  const hadFault: Watch['hadFault'] = (hub, from, to, kinds) =>
    faults.some(
      (fault) =>
        fault.hubs.includes(hub) &&
        (kinds?.includes(fault.kind) ?? true) &&
        overlaps(fault, from, to, AFTERWARDS_MS),
    );
  const isClock = ({ beganAt, endedAt }: Seen): boolean =>
    faults.some(
      (fault) => fault.kind === 'clock' && overlaps(fault, beganAt, endedAt, AFTER_CLOCK_MS),
    );
  const isExplained = (seen: Seen): boolean => {
    if (seen.status !== 503) return false;
    if (seen.code === 'clock-stepped') return isClock(seen);
    return seen.code === 'busy' && hadFault(seen.hub, seen.beganAt, seen.endedAt);
  };
  const strange = (text: string): void => {
    if (unexplained.length < UNEXPLAINED_MAX) unexplained.push(text);
  };
  return {
    begin(kind, hubs) {
      const fault: Fault = { kind, hubs, beganAt: now() };
      faults.push(fault);
      return () => {
        fault.endedAt = now();
      };
    },
    answered(seen) {
      const name = seen.status < 400 ? String(seen.status) : `${seen.status} ${seen.code}`;
      statuses.set(name, (statuses.get(name) ?? 0) + 1);
      answers += 1;
      if (answers % (1_000 / SAMPLED) === 0 && !hadFault(seen.hub, seen.beganAt, seen.endedAt)) {
        tookMs.push(seen.endedAt - seen.beganAt);
      }
      if (seen.status < 500 || isExplained(seen)) return;
      strange(`${seen.status} ${seen.code} of hub ${seen.hub} to ${seen.path}`);
    },
    lost({ hub, path, why, beganAt, endedAt }) {
      statuses.set('no answer', (statuses.get('no answer') ?? 0) + 1);
      if (!hadFault(hub, beganAt, endedAt)) strange(`no answer of hub ${hub} to ${path}: ${why}`);
    },
    hadFault,
    faults,
    statuses,
    tookMs,
    unexplained,
  };
}
