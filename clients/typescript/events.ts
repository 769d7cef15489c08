interface Call {
  readonly method: string;
  readonly url: string;
  /** 1 at the first send. */
  readonly attempt: number;
}

/** An event that a client passes to its `onEvent`. It holds no key, no signature and no body. */
export type HubEvent =
  | ({ readonly kind: 'send' } & Call)
  | ({
      readonly kind: 'answer';
      readonly status: number;
      /** Names the request in the hub's log. */
      readonly requestId: string | undefined;
      readonly tookMs: number;
    } & Call)
  | ({ readonly kind: 'lost'; readonly error: unknown; readonly tookMs: number } & Call)
  | ({ readonly kind: 'pause'; readonly delayMs: number } & Call);

export function report(
  listener: ((event: HubEvent) => void) | undefined,
): (event: HubEvent) => void {
  return (event) => {
    try {
      listener?.(event);
    } catch {
      // A log that fails must not fail a payment.
    }
  };
}
