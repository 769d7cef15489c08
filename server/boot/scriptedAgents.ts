/** The scripted agents of the sandbox, as the program sees them that runs them. */
export interface ScriptedAgents {
  /** `host:port` of their endpoints, which the hub must be allowed to call. */
  readonly pairs: readonly string[];
  /** Accounts that the hub marks in its answers. */
  readonly accounts: ReadonlySet<string>;
  /** They act on the hub at `baseUrl`, which listens at `listens`. */
  begin(
    hub: { readonly baseUrl: string; readonly listens: string },
    report: (error: unknown) => void,
  ): void;
  close(): Promise<void>;
}
