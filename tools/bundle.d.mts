export interface Bundle {
  /** The folder below which the entries lie, and where a file's own address begins. */
  readonly root: string;
  /** Paths of programs below `root`. */
  readonly entries: readonly string[];
  /** Where the programs are written, each under its own path. */
  readonly folder: string;
  /** `.js` unless named. */
  readonly extension?: '.js' | '.mjs';
}

export function bundle(what: Bundle): Promise<void>;
