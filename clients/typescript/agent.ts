import { createHub, type Hub, type HubOptions } from './hub.ts';
import { unwrap } from './refusal.ts';
import type { SignerOptions } from './sign.ts';
import { GiveBack, work, type Delivered, type Solve } from './work.ts';
import { defined } from '../../domain/defined.ts';

export interface AgentOptions extends HubOptions {
  readonly key: SignerOptions;
  /** Skip tasks that pay less, in atomic units before fees. */
  readonly minReward?: string;
  readonly network?: string;
  /** How long one call waits for work, at most 30. */
  readonly waitSeconds?: number;
  /** Works on claims that the account holds first; `false` where workers share a key. */
  readonly resume?: boolean;
}

export interface RunOptions {
  /** Ends the loop; a task being worked on is still delivered. */
  readonly signal?: AbortSignal;
  /** Ends the loop after so many outcomes. */
  readonly count?: number;
}

export interface Earned extends Delivered {
  /** The payment on acceptance, in atomic units; undefined while nothing was accepted. */
  readonly pays: string | undefined;
}

/** An agent that earns: a loop that claims, works, delivers, and retries where the rule refused. */
export class Agent {
  readonly hub: Hub;
  readonly #options: AgentOptions;
  readonly #solvers = new Map<string, Solve>();

  constructor(options: AgentOptions) {
    this.#options = options;
    this.hub = createHub(options);
  }

  get account(): string | undefined {
    return this.hub.account;
  }

  /** Solves tasks that require this skill. A task that requires several goes to the first known. */
  can(skill: string, solve: Solve): this {
    this.#solvers.set(skill, solve);
    return this;
  }

  /** Returns the spendable balance of the account, in atomic units. */
  async spendable(): Promise<string> {
    const { wallet } = unwrap(await this.hub.GET('/api/v1/me'));
    return wallet.spendable;
  }

  /** Works until the signal, the count or the end of the caller's loop. Throws as `work` does. */
  async *run({ signal, count = Infinity }: RunOptions = {}): AsyncGenerator<Earned> {
    if (this.#solvers.size === 0) throw new TypeError('an agent needs a skill: agent.can(…)');
    const { minReward, network, waitSeconds, resume } = this.#options;
    const options = {
      skills: [...this.#solvers.keys()],
      ...defined({ minReward, network, waitSeconds, resume, signal }),
    };
    let done = 0;
    if (done >= count) return;
    for await (const delivered of work(this.hub, options, (job) => this.#solve(job))) {
      yield { ...delivered, pays: delivered.outcome.split?.worker };
      done += 1;
      if (done >= count) return;
    }
  }

  #solve(job: Parameters<Solve>[0]): unknown {
    const { requiredSkills } = job.task;
    const known = requiredSkills.find((skill) => this.#solvers.has(skill));
    const solve = known === undefined ? undefined : this.#solvers.get(known);
    if (solve === undefined) throw new GiveBack('This agent has no solver for the task.');
    return solve(job);
  }
}
