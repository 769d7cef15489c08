/** Where a check comes from: the address and, when its request is signed, the account. */
export interface Asker {
  readonly ip: string;
  readonly account?: string;
}

/** An address whose last check ran out of its budget is remembered until one ends within it. */
const SLOW_ADDRESSES_MAX = 1_000;

interface Line<T> {
  /** Keyed by account; unsigned requests share one line. The first one is served next. */
  readonly accounts: Map<string, T[]>;
  length: number;
}

/**
 * Jobs that wait, served in turn by address and then by account, so that many jobs of one caller
 * delay another caller by one job (choices acceptance.running).
 */
export class FairQueue<T extends { readonly from: Asker }> {
  readonly #max: number;
  /** The first address is served next. */
  readonly #addresses = new Map<string, Line<T>>();
  readonly #slow = new Set<string>();
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Adds a job. Returns the job that must be refused when the queue is full: the newest of the
   * address with the most waiting jobs, which may be the added one.
   */
  add(job: T): T | undefined {
    this.#lineOf(job).push(job);
    this.#count(job.from.ip, 1);
    return this.#length > this.#max ? this.#dropNewest() : undefined;
  }

  /** Adds a job that was taken before, beyond the limit. */
  putBack(job: T): void {
    this.#lineOf(job).push(job);
    this.#count(job.from.ip, 1);
  }

  /** Takes the next job; `quickOnly` passes over addresses whose last check was slow. */
  take(quickOnly: boolean): T | undefined {
    for (const [ip, line] of this.#addresses) {
      if (quickOnly && this.#slow.has(ip)) continue;
      const [next] = line.accounts;
      if (next === undefined) throw new Error('an address without jobs stays in the queue');
      const [account, jobs] = next;
      const job = jobs.shift();
      line.accounts.delete(account);
      if (jobs.length > 0) line.accounts.set(account, jobs);
      this.#addresses.delete(ip);
      this.#addresses.set(ip, line);
      this.#count(ip, -1);
      return job;
    }
    return undefined;
  }

  isSlow({ ip }: Asker): boolean {
    return this.#slow.has(ip);
  }

  /** Records whether the last check of an address ran out of its budget. */
  noteEnd({ ip }: Asker, ranOut: boolean): void {
    this.#slow.delete(ip);
    if (!ranOut) return;
    this.#slow.add(ip);
    for (const oldest of this.#slow) {
      if (this.#slow.size <= SLOW_ADDRESSES_MAX) break;
      this.#slow.delete(oldest);
    }
  }

  drain(): readonly T[] {
    const all = [...this.#addresses.values()].flatMap((line) => [...line.accounts.values()].flat());
    this.#addresses.clear();
    this.#length = 0;
    return all;
  }

  #lineOf({ from: { ip, account = '' } }: T): T[] {
    const line = this.#addresses.get(ip) ?? { accounts: new Map<string, T[]>(), length: 0 };
    this.#addresses.set(ip, line);
    const jobs = line.accounts.get(account) ?? [];
    line.accounts.set(account, jobs);
    return jobs;
  }

  #dropNewest(): T | undefined {
    const [ip, line] = longest(this.#addresses, ({ length }) => length);
    const [account, jobs] = longest(line.accounts, ({ length }) => length);
    const job = jobs.pop();
    if (jobs.length === 0) line.accounts.delete(account);
    this.#count(ip, -1);
    return job;
  }

  #count(ip: string, change: number): void {
    const line = this.#addresses.get(ip);
    if (line === undefined) return;
    line.length += change;
    this.#length += change;
    if (line.length === 0) this.#addresses.delete(ip);
  }
}

/** The last one of the longest, so that of equals the newcomer gives way. */
function longest<V>(lines: ReadonlyMap<string, V>, lengthOf: (line: V) => number): [string, V] {
  let found: [string, V] | undefined;
  for (const [name, line] of lines) {
    if (found === undefined || lengthOf(line) >= lengthOf(found[1])) found = [name, line];
  }
  if (found === undefined) throw new Error('a full queue has a line');
  return found;
}
