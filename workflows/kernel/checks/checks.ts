import { checkRule } from '../../../domain/acceptance/checkRule.ts';
import type { JudgedFile } from '../../../domain/acceptance/files.ts';
import { judge as judgePure, tooDeep } from '../../../domain/acceptance/judge.ts';
import { badRule, PATTERN_WORK_MAX, usesSchema } from '../../../domain/acceptance/rule.ts';
import type {
  AcceptanceRule,
  Refusal,
  RuleRefusal,
  Verdict,
} from '../../../domain/acceptance/rule.ts';
import { defined } from '../../../domain/defined.ts';
import { CHECK_LIMITS } from './protocol.ts';
import type { CheckLimits, CheckRequest, Overrun } from './protocol.ts';
import { CheckWorker } from './checkWorker.ts';
import type { Outcome } from './checkWorker.ts';
import { FairQueue, type Asker } from './fairQueue.ts';
import { addressPartition } from '../addressPartition.ts';

/**
 * Acceptance checks. Small ones without a schema run at once; the others run in worker threads that
 * are killed when they overrun (choices acceptance.running). No worker starts before it is needed.
 */
export interface Checks {
  /** Publication: whether the rule can be judged at all. Throws ChecksBusy or ChecksFault. */
  compile(rule: unknown, from: Asker): Promise<Compiled | RuleRefusal>;
  /** Delivery: `rule` has passed `compile`. Throws ChecksBusy or ChecksFault. */
  judge(
    rule: AcceptanceRule,
    result: unknown,
    from: Asker,
    files?: readonly JudgedFile[],
  ): Promise<Verdict>;
  close(): Promise<void>;
}

export type { Asker } from './fairQueue.ts';

export interface Compiled {
  readonly ok: true;
  readonly rule: AcceptanceRule;
  readonly budget: Budget;
}

/** The maximum cost of judging one result by a rule. */
interface Budget {
  readonly runMs: number;
  readonly memoryMb: number;
  /** RE2 instructions of all patterns of the rule. */
  readonly patternInstructions: number;
  /** Characters of a text that a pattern of all these instructions may read in one result. */
  readonly patternCharacters?: number;
}

/** The hub's own checks, such as those of the operator's board. */
export const HUB_ASKS: Asker = { ip: 'hub' };

/** Too many checks wait already: nothing was judged and no attempt is used up (503 `busy`). */
export class ChecksBusy extends Error {
  override readonly name = 'ChecksBusy';
}

/** The hub's own trouble, never a verdict: no attempt is used up (500 `internal`). */
export class ChecksFault extends Error {
  override readonly name = 'ChecksFault';
}

/** Results up to this many characters of JSON meet pure rules without a worker: microseconds. */
const INLINE_RESULT_CHARS_MAX = 16 * 1024;

interface Job {
  readonly request: CheckRequest;
  readonly from: Asker;
  /** A stalled machine must not cost a worker its claim, so an overrun is tried once more. */
  readonly again: boolean;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

export function createChecks(limits: Partial<CheckLimits> = {}): Checks {
  const pool = new Pool({ ...CHECK_LIMITS, ...limits });
  return {
    compile: (rule, from) => compile(pool, rule, from),
    judge: (rule, result, from, files = []) => judge(pool, rule, { result, files }, from),
    close: () => pool.close(),
  };
}

async function compile(pool: Pool, value: unknown, from: Asker): Promise<Compiled | RuleRefusal> {
  const check = checkRule(value);
  if (!('ok' in check)) return check;
  const { rule } = check;
  if (!usesSchema(rule)) return { ok: true, rule, budget: pool.budget(0) };
  const outcome = await pool.run({ ruleText: JSON.stringify(rule), brief: false }, from);
  switch (outcome.is) {
    case 'compiled':
      return { ok: true, rule, budget: pool.budget(outcome.patternInstructions) };
    case 'refused':
      return outcome.refusal;
    case 'overrun':
      return badRule('', outOf(outcome.of));
    case 'verdict':
      throw new ChecksFault('a verdict without a result');
    case 'fault':
      throw new ChecksFault(outcome.why);
  }
}

async function judge(
  pool: Pool,
  rule: AcceptanceRule,
  { result, files }: { readonly result: unknown; readonly files: readonly JudgedFile[] },
  from: Asker,
): Promise<Verdict> {
  if (result === undefined) throw new TypeError('a result is a JSON value');
  const deep = tooDeep(result);
  if (deep !== undefined) return refused(deep);
  const resultText = JSON.stringify(result);
  const chars = files.reduce((sum, { text = '' }) => sum + text.length, resultText.length);
  if (!usesSchema(rule) && chars <= INLINE_RESULT_CHARS_MAX) {
    return judgePure(rule, result, noSchema, files);
  }
  const request = { ruleText: JSON.stringify(rule), resultText, files, brief: false };
  const outcome = await pool.run(request, from);
  switch (outcome.is) {
    case 'verdict':
      return outcome.verdict;
    case 'overrun':
      // It compiled in time when it was published: a slow compiler is no fault of the worker's.
      if (outcome.during === 'compile')
        throw new ChecksFault(`at compilation: ${outOf(outcome.of)}`);
      return refused(overrun(outcome.of));
    case 'refused':
      throw new ChecksFault(`an unchecked rule: ${outcome.refusal.pointer} ${outcome.refusal.why}`);
    case 'compiled':
      throw new ChecksFault('no verdict on a result');
    case 'fault':
      throw new ChecksFault(outcome.why);
  }
}

function noSchema(): never {
  throw new TypeError('a schema is judged in a worker');
}

function refused(item: Refusal): Verdict {
  return { accepted: false, refused: [item] };
}

function outOf(what: Overrun['of']): string {
  return what === 'work'
    ? 'the patterns of the rule read more text than their budget allows'
    : `check ran out of ${what}`;
}

function overrun(what: Overrun['of']): Refusal {
  const expected = `a check that ends within its ${what} limit`;
  return { path: '', rule: `check.${what}`, expected, got: 'no end', text: outOf(what) };
}

class Pool {
  readonly #limits: CheckLimits;
  readonly #idle: CheckWorker[] = [];
  readonly #seats = new Set<CheckWorker>();
  readonly #queue: FairQueue<Job>;
  /** Workers that serve addresses whose last check ran out of its budget. */
  #slow = 0;
  #starting = 0;
  #closed = false;

  constructor(limits: CheckLimits) {
    this.#limits = limits;
    this.#queue = new FairQueue(limits.queueMax);
  }

  budget(patternInstructions: number): Budget {
    const { runMs, memoryMb } = this.#limits;
    const patternCharacters = Math.floor(PATTERN_WORK_MAX / patternInstructions);
    return {
      runMs,
      memoryMb,
      patternInstructions,
      ...(patternInstructions > 0 && { patternCharacters }),
    };
  }

  run(request: CheckRequest, { ip, account }: Asker): Promise<Outcome> {
    if (this.#closed) throw new ChecksFault('the checks are closed');
    const from = { ip: addressPartition(ip), ...defined({ account }) };
    return new Promise((resolve, reject) => {
      this.#queue
        .add({ request, from, again: false, resolve, reject })
        ?.reject(new ChecksBusy('too many checks wait'));
      this.#pump();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#failWaiting('the checks were closed');
    await Promise.all(Array.from(this.#seats, (seat) => seat.close()));
  }

  #pump(): void {
    while (this.#queue.length > 0) {
      const seat = this.#idle.pop();
      if (seat === undefined) break;
      if (!seat.alive) continue;
      const job = this.#queue.take(this.#isFullOfSlow());
      if (job === undefined) {
        this.#idle.push(seat);
        break;
      }
      void this.#serve(seat, job);
    }
    const room = this.#limits.workers - this.#seats.size;
    const wanted = Math.min(room, this.#queue.length - this.#starting);
    for (let count = 0; count < wanted; count += 1) void this.#start();
  }

  /** One worker is left to callers whose checks end within their budget. */
  #isFullOfSlow(): boolean {
    return this.#slow > 0 && this.#slow >= this.#limits.workers - 1;
  }

  async #start(): Promise<void> {
    this.#starting += 1;
    const seat = await this.#open();
    this.#starting -= 1;
    if (seat instanceof CheckWorker) this.#release(seat);
    else if (this.#seats.size === 0) this.#failWaiting(`no check worker starts: ${String(seat)}`);
  }

  /** A thread that cannot even be made must not leave those who wait without an answer. */
  async #open(): Promise<CheckWorker | Error> {
    try {
      const seat: CheckWorker = new CheckWorker(this.#limits, () => this.#seats.delete(seat));
      this.#seats.add(seat);
      const state = await seat.ready;
      return state === 'ready' ? seat : state;
    } catch (error) {
      return error instanceof Error ? error : new Error('a check worker was not made');
    }
  }

  async #serve(seat: CheckWorker, job: Job): Promise<void> {
    const isSlow = job.again || this.#queue.isSlow(job.from);
    if (isSlow) this.#slow += 1;
    const outcome = await this.#tried(seat, job);
    if (isSlow) this.#slow -= 1;
    const ranOut = outcome.is === 'overrun';
    this.#queue.noteEnd(job.from, ranOut);
    if (ranOut && outcome.of !== 'work' && !job.again && !this.#closed) {
      // Others are served before its second try.
      this.#queue.putBack({ ...job, request: { ...job.request, brief: true }, again: true });
    } else job.resolve(outcome);
    this.#pump();
  }

  /** The second try has a fresh worker to itself: nothing but the rule can spend its limits. */
  async #tried(used: CheckWorker, job: Job): Promise<Outcome> {
    const isFit = used.isFresh || !job.again;
    if (!isFit) void used.close();
    const seat = isFit ? used : await this.#open();
    if (!(seat instanceof CheckWorker)) {
      return { is: 'fault', why: `no check worker starts: ${String(seat)}` };
    }
    const outcome = await seat.ask(job.request);
    // One that ran out by its own clock is sound, but not fresh.
    if (outcome.is === 'overrun') void seat.close();
    else if (seat.alive) this.#idle.push(seat);
    return outcome;
  }

  #release(seat: CheckWorker): void {
    if (seat.alive) this.#idle.push(seat);
    this.#pump();
  }

  #failWaiting(why: string): void {
    for (const job of this.#queue.drain()) job.resolve({ is: 'fault', why });
  }
}
