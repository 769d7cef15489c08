import type { Area, OperationId } from '../../generated/operations.ts';
import type { Call, Reply } from './call.ts';
import type { Hub } from './hub.ts';

/**
 * Derived from the contract: a missing handler, an undeclared status, a wrong answer shape or kind
 * of caller does not compile. The first transaction in the caller's name takes the nonce of a
 * signed request; a handler that does more than to read and refuse before it calls `admitNow`
 * first.
 */
export type Handler<Op extends OperationId> = (call: Call<Op>, hub: Hub) => Promise<Reply<Op>>;

/** Marks a handler whose unit checks the API key itself (`decideWithKey`): no check runs before. */
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
