import type { Instant } from '../../domain/instant.ts';
import { iso } from '../../domain/instant.ts';
import type { Minute } from '../../domain/time/minute.ts';
import type { ClockState, Head, Progress, Witness } from '../../domain/time/pulse.ts';
import { lookAgain, STEP_MS, type Look } from '../../domain/time/steps.ts';
import type { Hub } from '../kernel/hub.ts';

/** The state of this process's watch on its clock; each hub in a process has its own. */
interface Watch {
  readonly since: Instant;
  look: Look;
}
const watches = new WeakMap<Hub, Watch>();

/** The clock of the machine, which nothing corrects; taken to be right to a second. */
export const SYSTEM_CLOCK: ClockState = { source: 'system', synced: false, errorMs: 1_000 };

/** Looks at the clock now, and answers since when this process can vouch for it. */
export function witness(hub: Hub): Witness {
  const { clock } = hub;
  const now = clock.now();
  const known = watches.get(hub);
  const look = lookAgain(known?.look, now, clock.elapsedMs());
  const watch = known ?? { since: now, look };
  watch.look = look;
  watches.set(hub, watch);
  return { since: watch.since, landedIn: look.landedIn };
}

/** The pulse that the clock has fallen behind; small differences between processes are none. */
export function steppedBack(now: Instant, head: Head | undefined): Head | undefined {
  return head !== undefined && now < head.issuedAt - STEP_MS ? head : undefined;
}

export function steppedBackText(now: Instant, { issuedAt }: Head): string {
  return `The newest pulse was issued at ${iso(issuedAt)}, and the clock reads ${iso(now)}.`;
}

/** Why the clock of this process is not believed (choices time.checked); undefined while it is. */
export function wrongClock({ health }: Hub): string | undefined {
  const { state, text } = health.clock();
  return state === 'wrong' ? `The clock of this process is ${text}.` : undefined;
}

/** Whether jobs that sign wait: the clock is not believed, or the key's file is not here. */
export function mustNotSign(hub: Hub, head: Head | undefined): boolean {
  const isBack = steppedBack(hub.clock.now(), head) !== undefined;
  return isBack || wrongClock(hub) !== undefined || !hub.keys.canSign();
}

/** How old the newest pulse's minute may be before the chain is stalled (choices time.clock). */
const STALLED_MS = 180_000;
/** The contract's length of a reason (`SignedTime`). */
const REASON_MAX = 200;

export type ChainState =
  | { readonly state: 'live' }
  | { readonly state: 'stalled'; readonly since: Instant; readonly reason: string };

/** Whether pulses are being issued; `beganAt` counts as the head while there is none. */
export function chainState(
  now: Instant,
  { head, beganAt }: Progress,
  wrong: string | undefined,
): ChainState {
  const back = steppedBack(now, head);
  if (back !== undefined) {
    const reason = `clock-step: ${steppedBackText(now, back)}`;
    // The newest pulse lies in this clock's future; when it was set back is unknown.
    return { state: 'stalled', since: now, reason };
  }
  if (wrong !== undefined) {
    return { state: 'stalled', since: now, reason: `clock-wrong: ${wrong}`.slice(0, REASON_MAX) };
  }
  const newest: Minute | Instant = head?.minute ?? beganAt;
  if (now - newest <= STALLED_MS) return { state: 'live' };
  const reason =
    head === undefined ? 'no pulse was issued yet' : `no pulse was issued after ${head.seq}`;
  return { state: 'stalled', since: (newest + STALLED_MS) as Instant, reason };
}
