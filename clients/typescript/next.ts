import { follow, type HttpCall, type Hub } from './hub.ts';

/** An answer with the calls that are legal now, such as a task or a refusal. */
export interface WithNext {
  readonly next?: readonly { readonly action: string; readonly call: HttpCall }[] | undefined;
}

export interface NextCall {
  /** The operation, such as `tasks.accept`. */
  readonly action: string;
  readonly call: HttpCall;
  /** The places of the body that are yours to fill in, such as `reason`. */
  readonly missing: readonly string[];
  /**
   * Sends the call with these fields put into its body and gives its JSON answer. Throws TypeError
   * when a field is still missing, and HubRefusal.
   */
  run(fields?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** `<your result>`: the hub's way to write what only the caller knows. */
const PLACEHOLDER = /^<[^<>]*>$/;

/**
 * The next calls of a refusal or a task as functions: `await nextCalls(hub, refusal)[0]?.run()`.
 * With an action, only the calls of that operation.
 */
export function nextCalls(hub: Hub, { next = [] }: WithNext, action?: string): readonly NextCall[] {
  return next
    .filter((step) => action === undefined || step.action === action)
    .map((step) => nextCall(hub, step.action, step.call));
}

function nextCall(hub: Hub, action: string, call: HttpCall): NextCall {
  const given = call.body ?? {};
  const missing = Object.entries(given)
    .filter(([, value]) => typeof value === 'string' && PLACEHOLDER.test(value))
    .map(([name]) => name);
  return {
    action,
    call,
    missing,
    run: async (fields = {}) => {
      const lacking = missing.filter((name) => !Object.hasOwn(fields, name));
      if (lacking.length > 0) throw new TypeError(`${action} lacks ${lacking.join(', ')}`);
      if (call.body === undefined && Object.keys(fields).length === 0) return follow(hub, call);
      return follow(hub, { ...call, body: { ...given, ...fields } });
    },
  };
}
