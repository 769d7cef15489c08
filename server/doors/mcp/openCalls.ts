import { sha256Hex } from '../../../domain/digest.ts';
import { MCP_CANCEL_TOPIC, onPrefix } from '../topics.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { Identity } from '../../http/wire.ts';
import type { RpcId } from '../jsonRpc.ts';

/**
 * Calls that their caller may cancel with `notifications/cancelled`, at any process. Without
 * sessions, a call is known by its id and its signer, or the address of an unsigned caller. Only
 * calls that wait or stream are here; the polls of `dispatch` and the handlers bound them.
 */
export interface OpenCalls {
  enter(caller: Identity, id: RpcId): OpenCall;
  /** Raises the signal of a call, wherever it runs; does nothing when it has ended or never was. */
  cancel(caller: Identity, id: RpcId): void;
}

interface OpenCall {
  readonly cancelled: AbortSignal;
  leave(): void;
}

export function openCalls({ store }: Pick<Hub, 'store'>): OpenCalls {
  const open = new Map<string, AbortController>();
  onPrefix(store, MCP_CANCEL_TOPIC, (name) => open.get(name)?.abort());
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
    cancel(caller, id) {
      const name = nameOf(caller, id);
      const own = open.get(name);
      if (own === undefined) store.notify(MCP_CANCEL_TOPIC + name);
      else own.abort();
    },
  };
}

/** A digest, because an id may be long and other processes need no address. */
function nameOf(caller: Identity, id: RpcId): string {
  const who = caller.kind === 'visitor' ? `ip ${caller.ip}` : caller.account;
  return sha256Hex(`${who} ${typeof id} ${id}`);
}
