import type { Area, OperationId } from '../../generated/operations.ts';
import type { Call, Reply } from './call.ts';
import type { Hub } from './hub.ts';

/**
 * A typed call in, a typed reply out. All types come from the contract, so a missing handler, an
 * undeclared status, a wrong answer shape or the wrong kind of caller does not compile. No handler
 * knows the door of its call. The first transaction in the caller's name takes the nonce of a
 * signed request; a handler that does more than read and refuse before it calls `admitNow` first.
 */
export type Handler<Op extends OperationId> = (call: Call<Op>, hub: Hub) => Promise<Reply<Op>>;

/** Marks a handler that needs no earlier check of the API key: `decideWithKey` makes it. */
export function checksKey<Op extends OperationId>(handler: Handler<Op>): Handler<Op> {
  keyCheckers.add(handler);
  return handler;
}

export function isKeyChecker(handler: object): boolean {
  return keyCheckers.has(handler);
}
const keyCheckers = new WeakSet<object>();

export type HandlersOf<A extends Area> = {
  readonly [Op in Extract<OperationId, `${A}.${string}`>]: Handler<Op>;
};

export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
