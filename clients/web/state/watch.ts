import { defined } from '../../../domain/defined.ts';
/**
 * Watches whether the hub answers and works, for the banner of every page. A page that is seen asks
 * `/healthz` every two seconds, a hidden one never; the hub answers from memory.
 */
const EVERY_MS = 2_000;
const ANSWER_MS_MAX = 1_200;
/** One lost connection is no outage: it is asked once more. */
const AGAIN_MS = 400;
const NEWER_MS_LEAST = 60_000;

interface Part {
  readonly state: string;
  readonly since?: string;
  readonly reason?: string;
}
type PartName = 'writes' | 'money' | 'time';
export interface HubState extends Readonly<Record<PartName, Part>> {
  readonly startedAt: string;
}

/** The last state, since when no answer comes, and whether newer pages exist. */
export interface Seen {
  readonly state?: HubState;
  readonly silentSince?: string;
  readonly isOld?: boolean;
}

export interface WatchParts {
  readonly ask: (signal: AbortSignal) => Promise<Response>;
  /** Whether the hub serves other pages than these. */
  readonly isOld: () => Promise<boolean>;
  readonly isSeen: () => boolean;
  readonly changed: (seen: Seen) => void;
}

/** An answer of something in front of the hub, or of an older hub, has no state. */
const NO_HUB = 500;
const NO_PATH = 404;

/** Starts to watch, and returns a function that asks at once, and one that ends it. */
export function watchHub({ ask, isOld, isSeen, changed }: WatchParts) {
  let seen: Seen = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isAsking = false;
  let askedForNewer = -NEWER_MS_LEAST;
  const become = (next: Seen): void => {
    if (JSON.stringify(next) === JSON.stringify(seen)) return;
    seen = next;
    changed(seen);
  };
  const look = async (): Promise<'answer' | 'late' | 'lost' | 'none'> => {
    const leaving = new AbortController();
    const late = setTimeout(() => leaving.abort(), ANSWER_MS_MAX);
    try {
      const answer = await ask(leaving.signal);
      if (answer.status >= NO_HUB) return 'lost';
      if (answer.status === NO_PATH) return 'none';
      const state = stateIn(await answer.json().catch(() => undefined));
      const isRestart = state?.startedAt !== seen.state?.startedAt && seen.state !== undefined;
      become({ ...(state && { state }), ...(seen.isOld === true && { isOld: true }) });
      if (isRestart) await lookForNewer();
      return 'answer';
    } catch {
      return leaving.signal.aborted ? 'late' : 'lost';
    } finally {
      clearTimeout(late);
    }
  };
  const lookForNewer = async (): Promise<void> => {
    // Processes of one hub began at different times, and each may answer next.
    if (seen.isOld === true || performance.now() - askedForNewer < NEWER_MS_LEAST) return;
    askedForNewer = performance.now();
    if (await isOld().catch(() => false)) become({ ...seen, isOld: true });
  };
  const turn = async (): Promise<void> => {
    clearTimeout(timer);
    if (isOver || isAsking || !isSeen()) return;
    isAsking = true;
    let got = await look();
    if (got === 'lost') {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      got = await look();
    }
    isAsking = false;
    if (got === 'late' || got === 'lost') {
      become({ ...seen, silentSince: seen.silentSince ?? new Date().toISOString() });
    }
    if (got !== 'none' && !isOver) timer = setTimeout(() => void turn(), EVERY_MS);
  };
  void turn();
  return {
    askNow: (): void => void turn(),
    end: (): void => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function stateIn(body: unknown): HubState | undefined {
  const isState =
    typeof body === 'object' &&
    body !== null &&
    ['startedAt', ...PARTS].every((name) => Object.hasOwn(body, name));
  return isState ? (body as HubState) : undefined;
}

const PARTS: readonly PartName[] = ['writes', 'money', 'time'];
const WELL: Readonly<Record<PartName, string>> = {
  writes: 'accepted',
  money: 'moves',
  time: 'live',
};

export interface Trouble {
  readonly kind: 'silent' | PartName | 'old';
  readonly since?: string;
  readonly reason?: string;
}

/** Everything that a reader should know, the worst first. */
export function troublesOf({ state, silentSince, isOld }: Seen): readonly Trouble[] {
  if (silentSince !== undefined) return [{ kind: 'silent', since: silentSince }];
  const parts = PARTS.flatMap((kind): readonly Trouble[] => {
    const part = state?.[kind];
    if (part === undefined || part.state === WELL[kind]) return [];
    const { since, reason } = part;
    return [{ kind, ...defined({ since, reason }) }];
  });
  return isOld === true ? [...parts, { kind: 'old' }] : parts;
}
