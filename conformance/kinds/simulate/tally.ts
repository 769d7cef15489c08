/** How often each thing happened in a run, so that a test sees that all did. */
export class Tally {
  readonly counts = new Map<string, number>();

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Returns the names of a list that were never counted. */
  missing(wanted: readonly string[]): readonly string[] {
    return wanted.filter((what) => !this.counts.has(what));
  }
}
