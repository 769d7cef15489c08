import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import { mayOffer } from './claim.ts';
import type { TaskAggregate } from './model.ts';
import { CHOSEN_LATER, legalActions, TOKEN, VERDICT, YOURS } from './next.ts';
import type { LegalAction } from './next.ts';
import { mayPitch } from './pitch.ts';
import { announceRefusal, offerRefusal } from './solve.ts';
import type { Worker } from './worker.ts';

/** The account that an answer goes to, with as much as is known of it. */
interface ActionReader {
  readonly account: Account;
  /** Itself as a worker on this task. Without it no work is offered that others may do too. */
  readonly worker?: Worker;
  /** The token of the claim that it holds. */
  readonly claimToken?: string;
}

/**
 * Returns the legal actions that the reader may take now, as calls that it can send as they are.
 * Invariant: none of them is refused for who the reader is or for what it did before.
 */
export function actionsFor(
  aggregate: TaskAggregate,
  now: Instant,
  reader: ActionReader,
): readonly LegalAction[] {
  return legalActions(aggregate, now, reader.account)
    .filter((action) => mayTake(action, aggregate, reader, now))
    .flatMap((action) => asReader(action, reader));
}

/** Returns those of some actions that name the reader, as calls that it can send as they are. */
export function ownActions(
  actions: readonly LegalAction[],
  reader: ActionReader,
): readonly LegalAction[] {
  return actions
    .filter(({ who }) => who === reader.account)
    .flatMap((action) => asReader(action, reader));
}

function mayTake(
  { who, action, body }: LegalAction,
  aggregate: TaskAggregate,
  { account, worker, claimToken }: ActionReader,
  now: Instant,
): boolean {
  if (who === 'anyone') return true;
  if (Object.values(body).includes(TOKEN) && claimToken === undefined) return false;
  const isWork = action === 'tasks.claim' && aggregate.task.state === 'open';
  if (who === account && (!isWork || worker === undefined)) return true;
  if ((who !== account && who !== 'any worker') || worker === undefined) return false;
  return isOpenTo(action, aggregate, worker, now);
}

/** Whether the guard of the action lets this worker through. */
function isOpenTo(action: string, aggregate: TaskAggregate, worker: Worker, now: Instant): boolean {
  switch (action) {
    case 'tasks.claim':
      return mayOffer(aggregate, { worker }, now) !== 'no';
    case 'tasks.pitch':
      return mayPitch(aggregate.task, worker, now);
    case 'tasks.solution':
      return offerRefusal(aggregate, worker, now) === undefined;
    default:
      return announceRefusal(aggregate, worker, now) === undefined;
  }
}

/** A choice begins with reading the pitches, whose list has the call for each. */
function asReader(
  action: LegalAction,
  { account, claimToken }: ActionReader,
): readonly LegalAction[] {
  const { body, ...rest } = action;
  if (body['pitchId'] === CHOSEN_LATER) {
    return [{ ...rest, action: 'tasks.pitches', verb: 'pitches', isRead: true, body: {} }];
  }
  if (body['verdict'] === VERDICT) {
    return RULINGS.map((verdict) => ({ ...rest, body: { ...body, verdict } }));
  }
  const filled = Object.entries(body).map(([name, value]): [string, unknown] => [
    name,
    value === YOURS ? account : value === TOKEN ? claimToken : value,
  ]);
  return [{ ...rest, body: Object.fromEntries(filled) }];
}

const RULINGS = ['upheld', 'rejected', 'split'];
