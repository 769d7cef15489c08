import type { components } from '../../generated/types.ts';
import { WithFiles } from './files.ts';
import { follow, type HttpCall, type Hub } from './hub.ts';
import { freshKey } from './once.ts';
import { HubRefusal, NotTheHub, unwrap } from './refusal.ts';
import { pause } from './retry.ts';
import { defined } from '../../domain/defined.ts';

type Schemas = components['schemas'];
export type Claim = Schemas['Claim'];
type Task = NonNullable<Claim['work']>;
type Deliver = Schemas['DeliveryInstructions'];
export type RefusalItem = Schemas['RefusalItem'];
export type SubmitResult = Schemas['SubmitResult'];

export interface WorkOptions {
  /** The skills you have; absent means any task. */
  readonly skills?: readonly string[];
  readonly network?: string;
  /** Skip tasks that pay less, in atomic units before fees. */
  readonly minReward?: string;
  /** Who is paid in place of this account. */
  readonly payee?: string;
  /** How long one call waits for work, at most 30. */
  readonly waitSeconds?: number;
  /** Works on claims that the account holds first; `false` where workers share a key. */
  readonly resume?: boolean;
  /** Ends the loop. A task being worked on is still delivered. */
  readonly signal?: AbortSignal;
}

export interface Job {
  readonly task: Task;
  /** The conditions, the pay and the deadline of the result. */
  readonly deliver: Deliver;
  /** The faults of the previous result; empty on the first try. */
  readonly refused: readonly RefusalItem[];
}

/** Makes a result, any JSON value, or WithFiles. Throw GiveBack when the task cannot be done. */
export type Solve = (job: Job) => unknown;

/** Hands the task back at once, with no penalty; the loop goes on. */
export class GiveBack extends Error {
  override readonly name = 'GiveBack';
}

export interface Delivered {
  readonly task: Task;
  readonly outcome: SubmitResult;
}

const WAIT_SECONDS = 30;
const FAILURES_MAX = 8;
const FIRST_PAUSE_MS = 500;
/** A queue with nothing but what this worker gives back must not be run in circles. */
const GIVEN_BACK_PAUSE_MS = 1000;
/** A finished result is delivered even after the loop was asked to end. */
const NEVER = new AbortController().signal;

/**
 * Earns: takes the best task that fits, has it solved, delivers, and tries again where the rule
 * refused and an attempt is left. Yields each outcome; to stop, leave the loop or abort the signal.
 * Anything else that `solve` throws gives the task back and ends the loop with that error.
 */
export async function* work(
  hub: Hub,
  options: WorkOptions,
  solve: Solve,
): AsyncGenerator<Delivered> {
  const signal = options.signal ?? new AbortController().signal;
  const { resume = true } = options;
  let looksForHeld = resume;
  while (!signal.aborted) {
    let claim: Claim | undefined;
    try {
      claim = await persist(async (failures) => {
        // A claim whose answer was lost is held all the same, and lapses to this account's harm.
        const held = looksForHeld || (resume && failures > 0) ? await heldClaim(hub) : undefined;
        looksForHeld = held !== undefined;
        return held ?? (await claimNext(hub, options, signal));
      }, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    const isGivenBack = yield* deliverUntilDecided(hub, claim, solve);
    if (isGivenBack) await pause(GIVEN_BACK_PAUSE_MS, signal).catch(() => undefined);
  }
}

/** Tries through a restart of the hub: what may be asked again is, for about a minute. */
async function persist<T>(
  attempt: (failures: number) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt(failures);
    } catch (error) {
      if (signal.aborted || failures + 1 >= FAILURES_MAX || !isPassing(error)) throw error;
    }
    await pause(FIRST_PAUSE_MS * 2 ** failures, signal);
  }
}

/** The network's faults and a busy hub pass; a refusal stays one however often it is asked for. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NotTheHub) return error.status >= 500;
  if (error instanceof HubRefusal) return error.code === 'busy' || error.code === 'rate-limited';
  return true;
}

async function heldClaim(hub: Hub): Promise<Claim | undefined> {
  const { claims } = unwrap(await hub.GET('/api/v1/me'));
  const held = claims.find(({ taskState }) => taskState === 'held');
  if (held === undefined || hub.account === undefined) return undefined;
  const params = { path: { id: held.taskId } };
  return unwrap(
    await hub.POST('/api/v1/tasks/{id}/claim', { params, body: { agentId: hub.account } }),
  );
}

async function claimNext(hub: Hub, options: WorkOptions, signal: AbortSignal): Promise<Claim> {
  const { skills, network, minReward, payee, waitSeconds = WAIT_SECONDS } = options;
  const body = {
    ...(skills !== undefined && { skills: [...skills] }),
    ...defined({ network, minReward, payee }),
  };
  const params = { query: { wait: waitSeconds } };
  return unwrap(await hub.POST('/api/v1/tasks/claim', { params, body, signal }));
}

/** Says at the end whether the task was given back. */
async function* deliverUntilDecided(
  hub: Hub,
  first: Claim,
  solve: Solve,
): AsyncGenerator<Delivered, boolean> {
  let claim: Claim = first;
  let refused: readonly RefusalItem[] = [];
  for (;;) {
    const { work: task, deliver } = claim;
    if (task === null || deliver === undefined) return false;
    let result: unknown;
    try {
      result = await solve({ task, deliver, refused });
    } catch (error) {
      const isMeant = error instanceof GiveBack;
      await giveBack(hub, task, deliver, isMeant ? error.message : 'The worker failed.');
      if (isMeant) return true;
      throw error;
    }
    const [held, key] = [claim, freshKey()];
    const outcome = await persist(() => deliverResult(hub, held, result, key), NEVER);
    yield { task, outcome };
    if (outcome.retry === undefined || outcome.attemptsLeft === 0) return false;
    refused = outcome.refused ?? [];
    claim = await persist(() => claimAgain(hub, outcome), NEVER);
  }
}

/** Delivers a result for a claim by the call in its `deliver`. Throws HubRefusal. */
export async function deliverResult(
  hub: Hub,
  claim: Claim,
  result: unknown,
  idempotencyKey: string = freshKey(),
): Promise<SubmitResult> {
  const { deliver } = claim;
  if (deliver === undefined) throw new TypeError('this claim holds no task');
  const given = result instanceof WithFiles ? { ...result } : { result };
  return deliverAgain(hub, { ...deliver, body: { ...deliver.body, ...given, idempotencyKey } });
}

/** Sends a delivery that was written out, such as one without an answer. Throws HubRefusal. */
export async function deliverAgain(hub: Hub, call: HttpCall): Promise<SubmitResult> {
  const outcome = await follow(hub, call);
  if (!isSubmitResult(outcome)) throw new TypeError('the answer to a delivery is no SubmitResult');
  return outcome;
}

/** Claims the task again by the call in the `retry` of a refused result. Throws HubRefusal. */
export async function claimAgain(hub: Hub, outcome: SubmitResult): Promise<Claim> {
  if (outcome.retry === undefined) throw new TypeError('this outcome leaves no retry');
  const claim = await follow(hub, outcome.retry);
  if (!isClaim(claim)) throw new TypeError('the answer to a retry is no Claim');
  return claim;
}

async function giveBack(hub: Hub, task: Task, deliver: Deliver, reason: string): Promise<void> {
  const { claimToken } = deliver.body;
  const params = { path: { id: task.id } };
  unwrap(await hub.POST('/api/v1/tasks/{id}/fail', { params, body: { claimToken, reason } }));
}

function isSubmitResult(value: unknown): value is SubmitResult {
  return typeof value === 'object' && value !== null && 'outcome' in value && 'taskId' in value;
}

function isClaim(value: unknown): value is Claim {
  return typeof value === 'object' && value !== null && 'work' in value;
}
