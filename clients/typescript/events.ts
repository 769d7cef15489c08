interface Call {
  readonly method: string;
  readonly url: string;
  /** 1 at the first send. */
  readonly attempt: number;
}

/** What a client tells its `onEvent`. No event holds a key, a signature or a body. */
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

/** A log that fails must not fail a payment. */
export function tell(listener: ((event: HubEvent) => void) | undefined): (event: HubEvent) => void {
  return (event) => {
    try {
      listener?.(event);
    } catch {
      // The caller's own fault, and nobody is there to hear of it.
    }
  };
}
