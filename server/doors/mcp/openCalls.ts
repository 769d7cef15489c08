import type { Identity } from '../../wire.ts';
import type { RpcId } from '../jsonRpc.ts';

/**
 * Calls under way that their caller may take back with `notifications/cancelled`. There are no
 * sessions, so a call is known by who made it and by the id that they gave it: the account that
 * signed, or the address of an unsigned caller. Only calls that wait or stream are kept here; the
 * polls of `dispatch` and the handlers' own limits bound how many there are.
 */
export interface OpenCalls {
  enter(caller: Identity, id: RpcId): OpenCall;
  /** Raises the signal of a call; does nothing when it has ended or never was. */
  cancel(caller: Identity, id: RpcId): void;
}

interface OpenCall {
  readonly cancelled: AbortSignal;
  leave(): void;
}

export function openCalls(): OpenCalls {
  const open = new Map<string, AbortController>();
  return {
    enter(caller, id) {
      const name = nameOf(caller, id);
      const controller = new AbortController();
      open.set(name, controller);
      return {
        cancelled: controller.signal,
        leave() {
          if (open.get(name) === controller) open.delete(name);
        },
      };
    },
    cancel: (caller, id) => open.get(nameOf(caller, id))?.abort(),
  };
}

function nameOf(caller: Identity, id: RpcId): string {
  const who = caller.kind === 'visitor' ? `ip ${caller.ip}` : caller.account;
  return `${who} ${typeof id} ${id}`;
}
