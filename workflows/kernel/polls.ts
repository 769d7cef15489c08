import type { Caller } from './call.ts';
import { addressPartition } from './addressPartition.ts';

/** Open long polls (choices pipeline.limits); over the limit the oldest is answered early. */
const POLLS_PER_ACCOUNT_MAX = 4;
const POLLS_PER_ADDRESS_MAX = 64;

interface Poll {
  /** Raised when the caller left or a newer poll took this one's place. */
  readonly ended: AbortSignal;
  leave(): void;
}

export interface Polls {
  enter(caller: Caller, gone: AbortSignal): Poll;
}

export function openPolls(): Polls {
  const open = new Map<string, Set<AbortController>>();
  const join = (partition: string, max: number, poll: AbortController): void => {
    const polls = open.get(partition) ?? new Set();
    open.set(partition, polls.add(poll));
    if (polls.size > max) {
      for (const oldest of polls) {
        polls.delete(oldest);
        oldest.abort();
        return;
      }
    }
  };
  const quit = (partition: string, poll: AbortController): void => {
    const polls = open.get(partition);
    polls?.delete(poll);
    if (polls?.size === 0) open.delete(partition);
  };
  return {
    enter(caller, gone) {
      const poll = new AbortController();
      const address = `ip ${addressPartition(caller.ip)}`;
      join(address, POLLS_PER_ADDRESS_MAX, poll);
      if (caller.kind !== 'visitor') join(caller.account, POLLS_PER_ACCOUNT_MAX, poll);
      const ended = AbortSignal.any([poll.signal, gone]);
      return {
        ended,
        leave() {
          quit(address, poll);
          if (caller.kind !== 'visitor') quit(caller.account, poll);
        },
      };
    },
  };
}
