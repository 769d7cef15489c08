/**
 * How often one caller calls one hosted agent, and how much at once (choices hosted.limits). Counts
 * are of one process and of whole minutes; callers that come late in a minute wait for the next.
 */
export const CALLS_A_MINUTE_PER_CALLER = 120;
export const CALLS_A_MINUTE = 1_200;
/** Under way at once, so that a slow agent keeps no more of the hub than this. */
export const CALLS_AT_ONCE = 16;
/** Agents and callers that are counted in a minute. */
const NAMES_MAX = 20_000;
const MINUTE_MS = 60_000;

export interface Pace {
  /** Takes a place for a call; a text says why there is none. `leave` gives it back. */
  enter(agent: string, caller: string, now: number): { leave(): void } | { readonly full: string };
}

/** `isCounted` false leaves the calls of a minute uncounted, and only bounds those at once. */
export function openPace(isCounted = true): Pace {
  const underWay = new Map<string, number>();
  let minute = 0;
  let counts = new Map<string, number>();
  return {
    enter(agent, caller, now) {
      const current = Math.floor(now / MINUTE_MS);
      if (current !== minute || counts.size > NAMES_MAX) counts = new Map();
      minute = current;
      const [all, own] = [agent, `${agent} ${caller}`];
      if (isCounted && (counts.get(own) ?? 0) >= CALLS_A_MINUTE_PER_CALLER) {
        return { full: `At most ${CALLS_A_MINUTE_PER_CALLER} calls a minute to one agent.` };
      }
      if (isCounted && (counts.get(all) ?? 0) >= CALLS_A_MINUTE) {
        return { full: `This agent is called ${CALLS_A_MINUTE} times a minute at most.` };
      }
      if ((underWay.get(agent) ?? 0) >= CALLS_AT_ONCE) {
        return { full: `This agent has ${CALLS_AT_ONCE} calls under way; try again shortly.` };
      }
      counts.set(all, (counts.get(all) ?? 0) + 1);
      counts.set(own, (counts.get(own) ?? 0) + 1);
      underWay.set(agent, (underWay.get(agent) ?? 0) + 1);
      return {
        leave() {
          const left = (underWay.get(agent) ?? 1) - 1;
          if (left === 0) underWay.delete(agent);
          else underWay.set(agent, left);
        },
      };
    },
  };
}
