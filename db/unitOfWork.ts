import { strict as assert } from 'node:assert';
import type { Knex } from 'knex';
import { access, link, type Link, type Writer } from './connection.ts';
import type { NotedEvent } from './noted.ts';
import type { Spending } from './spender.ts';
import type { LedgerMemory } from './ledger/memory.ts';

export const TOPIC_LENGTH_MAX = 200;

/** One unit of work. Its connection goes on to the next unit, so it answers only while it runs. */
export class UnitOfWork implements Writer {
  readonly [access] = 'write';
  /** A unit may read rows that are never committed, which no cache may keep. */
  readonly search = undefined;
  spending: Spending | undefined;
  readonly posted: string[] = [];
  readonly noted: NotedEvent[] = [];
  readonly topics = new Set<string>();
  readonly ledger: LedgerMemory;
  readonly #connection: Link;
  readonly #hooks: (() => void)[] = [];
  #open = true;

  constructor(connection: Link, ledger: LedgerMemory) {
    this.#connection = connection;
    this.ledger = ledger;
  }

  get [link](): Link {
    assert(this.#open, 'a unit of work was used after it had ended');
    return this.#connection;
  }

  get knex(): Knex {
    return this[link].knex;
  }

  afterCommit(run: () => void): void {
    assert(this.#open, 'a unit of work was used after it had ended');
    this.#hooks.push(run);
  }

  publish(topic: string): void {
    assert(this.#open, 'a unit of work was used after it had ended');
    assert(topic.length > 0 && topic.length <= TOPIC_LENGTH_MAX, 'a topic has 1 to 200 characters');
    this.topics.add(topic);
  }

  close(): void {
    this.#open = false;
  }

  committed(report: (error: unknown) => void): void {
    runHooks(this.#hooks, report);
  }
}

/** Runs what waited for a commit; a hook that throws cannot undo it, so it is reported. */
export function runHooks(hooks: readonly (() => void)[], report: (error: unknown) => void): void {
  for (const hook of hooks) {
    try {
      hook();
    } catch (error) {
      report(error);
    }
  }
}
