import { viewIn } from '../../db/batch/look.ts';
import { unpaidLoans } from '../../db/credit/loans.ts';
import { decisionsOf } from '../../db/moderation/decisions.ts';
import { heldByAccount, type HeldListing } from '../../db/passport/listings.ts';
import { tasksWonBy } from '../../db/tasks/pitches.ts';
import { seatOf } from '../../db/validators/seats.ts';
import { ruleOf } from '../../db/wallet/policies.ts';
import { claimedTasks } from '../../db/wallet/claims.ts';
import type { Account } from '../../domain/account.ts';
import { isLate, total as inAll, type Loan } from '../../domain/credit.ts';
import type { Instant } from '../../domain/instant.ts';
import { applyChange } from '../../domain/tasks/change.ts';
import { settleDue } from '../../domain/tasks/due.ts';
import { claimed, undecided, type Task, type TaskAggregate } from '../../domain/tasks/model.ts';
import { ceilingOf, type ValidatorSeat } from '../../domain/validators/seat.ts';
import { presentStanding } from '../passport/present/standing.ts';
import { UNTRUSTED_STATE } from '../untrusted.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { ASSET } from '../../domain/network.ts';
import { applyDefaults } from '../../workflows/credit/defaults.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentMoney } from '../tasks/present/task.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { presentNextFor } from '../../workflows/tasks/nextActions.ts';
import { presentSpending } from './present/policy.ts';
import { presentDecision } from './present/decision.ts';
import { walletOf } from './present/wallet.ts';

const DECISIONS_MAX = 20;
const WON_MAX = 100;

export const me: Handler<'wallet.me'> = async (call, hub) => {
  const network = networkNamed(hub, call.query.network, 'query.network');
  const now = hub.clock.now();
  const { account: owner, keyId } = call.caller;
  await applyDefaults(hub, owner);
  const [rule, wallet, tasks, won, loans, karma, seat, listings, decisions] = await hub.store.read(
    async (db) => [
      await ruleOf(db, keyId, owner),
      await viewIn(db, walletOf(hub, owner, network, now)),
      await claimedTasks(db, owner),
      await tasksWonBy(db, { account: owner, limit: WON_MAX }),
      await unpaidLoans(db, owner),
      await presentStanding(db, owner),
      await seatOf(db, owner),
      await heldByAccount(db, owner),
      await decisionsOf(db, owner, DECISIONS_MAX),
    ],
  );
  return {
    status: 200,
    body: {
      owner,
      keyId,
      ...(rule && presentSpending(rule, now)),
      wallet,
      claims: tasks.flatMap((play) => presentClaim(hub, asOf(play, now), owner)),
      ...presentWon(
        hub,
        won.map(({ task }) => task),
        owner,
      ),
      ...(seat !== undefined && { validatorSeat: presentValidator(seat) }),
      loans: loans.flatMap((loan) => presentUnpaid(loan, now)),
      listings: listings.map(presentListed),
      karma,
      decisions: decisions.map(presentDecision),
      ...UNTRUSTED_STATE,
    },
  };
};

/** A reservation that is over opens its task, though no job has looked. */
function presentWon(
  hub: Hub,
  tasks: readonly Task[],
  owner: Account,
): Pick<Schemas['AccountOverview'], 'wonPitches'> {
  const won = tasks.flatMap((task): readonly Schemas['WonPitch'][] => {
    const play = asOf({ task, live: [] }, hub.clock.now());
    const { chosen, reserved, id, title, reward, state } = play.task;
    if (state !== 'open' || chosen?.worker !== owner) return [];
    return [
      {
        taskId: id,
        pitchId: chosen.pitchId,
        title,
        ...(reward !== undefined && { reward: presentMoney(reward) }),
        reservedUntil: reserved?.until,
        next: presentNextFor(hub, play, owner).filter(({ who }) => who === owner),
      },
    ];
  });
  return won.length === 0 ? {} : { wonPitches: won };
}

/** Changes that the clock decided since the row was written count (choices pipeline.due). */
function asOf(play: TaskAggregate, now: Instant): TaskAggregate {
  const change = settleDue(play, now);
  return change === undefined ? play : asOf(applyChange(play, change), now);
}

function presentValidator(
  seat: ValidatorSeat,
): NonNullable<Schemas['AccountOverview']['validatorSeat']> {
  const { state, paused, endpoint, stake, network, seatedAt } = seat;
  return {
    state,
    paused: paused !== undefined,
    endpoint,
    stake,
    ceiling: ceilingOf(stake),
    asset: ASSET,
    network,
    seatedAt,
  };
}

function presentListed(listing: HeldListing): Schemas['AccountOverview']['listings'][number] {
  const { id, kind, name, origin, endpoint, availability, verification } = listing;
  const hosted = verification === 'hosted';
  return { id, kind, name, origin, endpoint, availability, hosted, verification };
}

/** A loan that is late is a default, though no job has looked. */
function presentUnpaid(loan: Loan, now: Instant): Schemas['AccountOverview']['loans'] {
  const { id, taskId, lent, left, network, takenAt } = loan;
  const state = isLate(loan, now) ? 'defaulted' : loan.state;
  if (state === 'repaid') return [];
  return [
    {
      id,
      taskId,
      state,
      principal: lent.principal,
      outstanding: inAll(left),
      asset: ASSET,
      network,
      takenAt,
    },
  ];
}

/** A claim that lapsed, or whose task was decided, is no claim any more. */
function presentClaim(
  hub: Hub,
  play: TaskAggregate,
  owner: Account,
): readonly Schemas['HeldClaim'][] {
  const { task } = play;
  if (task.state !== 'held' && task.state !== 'delivered') return [];
  const attempt = task.state === 'held' ? claimed(play) : undecided(play)[0];
  if (attempt?.worker !== owner) return [];
  const { leaseEndsAt } = attempt;
  return [
    {
      taskId: task.id,
      attemptId: attempt.id,
      title: task.title,
      taskState: task.state,
      ...(task.reward !== undefined && { reward: presentMoney(task.reward) }),
      claimedAt: attempt.startedAt,
      ...(task.state === 'held' && leaseEndsAt !== undefined && { leaseEndsAt }),
      next: presentNextFor(hub, play, owner).filter(({ who }) => who === owner),
    },
  ];
}
