import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { loaderArguments, workerBeside } from '../threads/entry.ts';
import type { CheckLimits, CheckReply, CheckRequest, Overrun, WorkerStart } from './protocol.ts';

/** How one request to a worker ended; `fault` is the hub's own trouble and never a verdict. */
export type Outcome = Exclude<CheckReply, { readonly is: 'ready' | 'running' }>;

const YOUNG_GENERATION_MB = 16;

/** One thread and its timers. Each request has one outcome, and a dead thread is never reused. */
export class CheckWorker {
  /** Resolves once it can work, or to the reason why it never will. */
  readonly ready: Promise<'ready' | Error>;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #limits: CheckLimits;
  readonly #ended: () => void;
  #settle: ((reply: CheckReply) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #during: Overrun['during'] = 'compile';
  #alive = true;
  #isFresh = true;
  #exit: Promise<unknown> = Promise.resolve();

  /** `ended` is called once, when the thread is gone or given up, before the outcome is known. */
  constructor(limits: CheckLimits, ended: () => void) {
    const { port1, port2 } = new MessageChannel();
    const start: WorkerStart = { port: port2, compileMs: limits.compileMs, runMs: limits.runMs };
    this.#limits = limits;
    this.#ended = ended;
    this.#port = port1;
    this.#worker = new Worker(workerBeside(import.meta.url), {
      workerData: start,
      transferList: [port2],
      // Untrusted schemas become code in the worker: it gets no environment.
      env: {},
      execArgv: loaderArguments(),
      resourceLimits: {
        maxOldGenerationSizeMb: limits.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    this.#worker.on('error', (error: Error & { readonly code?: string }) => {
      const starved = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#end(starved ? this.#overrun('memory') : fault(error.stack ?? error.message));
    });
    this.#worker.on('exit', (code) => this.#end(fault(`a check worker exited with ${code}`)));
    port1.on('message', (reply: CheckReply) => this.#receive(reply));
    // Only a pending request, through its timer, keeps the process from ending.
    this.#worker.unref();
    port1.unref();
    this.ready = this.#await(limits.startMs).then((reply) => {
      if (reply.is === 'ready') return reply.is;
      return new Error(reply.is === 'fault' ? reply.why : `a check worker's start: ${reply.is}`);
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether it has had no request yet. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** One request at a time; the caller waits for the outcome before it sends another. */
  async ask(request: CheckRequest): Promise<Outcome> {
    const { compileMs, recompileMs, graceMs } = this.#limits;
    this.#during = 'compile';
    this.#isFresh = false;
    const budgetMs = request.resultText === undefined ? compileMs : recompileMs;
    const reply = this.#await(budgetMs + graceMs);
    this.#port.postMessage(request);
    const outcome = await reply;
    const early = outcome.is === 'ready' || outcome.is === 'running';
    return early ? fault('a check worker answered out of turn') : outcome;
  }

  async close(): Promise<void> {
    this.#end(fault('the checks were closed'));
    await this.#exit;
  }

  #await(budgetMs: number): Promise<CheckReply> {
    if (!this.#alive) return Promise.resolve(fault('a check worker had ended'));
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#timer = setTimeout(() => this.#overdue(), budgetMs);
    });
  }

  #receive(reply: CheckReply): void {
    if (reply.is !== 'running') return this.#finish(reply);
    this.#during = 'run';
    clearTimeout(this.#timer);
    const { runMs, graceMs } = this.#limits;
    this.#timer = setTimeout(() => this.#overdue(), runMs + graceMs);
  }

  /** A busy main thread can read an answer late: one that is there already still counts. */
  #overdue(): void {
    const waiting: { message: CheckReply } | undefined = receiveMessageOnPort(this.#port);
    if (waiting === undefined) this.#end(this.#overrun('time'));
    else this.#receive(waiting.message);
  }

  #overrun(of: Overrun['of']): Overrun {
    return { is: 'overrun', of, during: this.#during };
  }

  #end(reply: CheckReply): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#exit = this.#worker.terminate();
    this.#port.close();
    this.#ended();
    this.#finish(reply);
  }

  #finish(reply: CheckReply): void {
    clearTimeout(this.#timer);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(reply);
  }
}

function fault(why: string): Outcome {
  return { is: 'fault', why };
}
