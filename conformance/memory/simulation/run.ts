import type { Agent, Answer } from '../../harness/agents.ts';
import type { FakeClock } from '../../harness/clock.ts';
import type { Fixture } from '../../harness/fixture.ts';
import type { Random } from '../../kinds/simulate/random.ts';
import type * as model from './model.ts';

/** The state that the moves of a run share. */
export interface Run {
  readonly world: Fixture;
  readonly clock: FakeClock;
  readonly random: Random;
  readonly state: model.State;
  readonly players: readonly Player[];
  /** A fresh idempotency key. */
  onceKey(): string;
  /** Fails when the hub refused with another code than the model; true when neither refused. */
  same(answer: Answer, refused: model.Refusal | undefined, what: string): boolean;
  count(what: string): void;
}

export interface Player {
  readonly agent: Agent;
  readonly account: model.Account;
}
