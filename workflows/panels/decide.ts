import { strict as assert } from 'node:assert';
import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { KnownTask } from '../../db/tasks/taskRow.ts';
import { PANEL_CASES } from '../../db/validators/cases.ts';
import type { Panelist } from '../../db/validators/panelists.ts';
import { ROUNDS, type Round } from '../../db/validators/rounds.ts';
import { SEATS } from '../../db/validators/seats.ts';
import { drawOrder } from '../../domain/draw.ts';
import type { Instant } from '../../domain/instant.ts';
import { panelDecides } from '../../domain/tasks/judged.ts';
import { measuredNext } from '../../domain/validators/measureTime.ts';
import { tally, type Tally } from '../../domain/validators/panel.ts';
import {
  endSeat,
  mayJudge,
  mustRetire,
  voted,
  type ValidatorSeat,
} from '../../domain/validators/seat.ts';
import type { Hub } from '../kernel/hub.ts';
import { recordCauses } from '../karma/record.ts';
import { commitChange } from '../tasks/commit.ts';
import { settleAll } from '../tasks/due.ts';
import { releasePanelists } from '../validators/cases.ts';
import { callIn } from '../validators/draw.ts';
import { burnStake } from '../validators/stake.ts';
import { JUDGE_CALLS_TOPIC, PANELS_TOPIC } from '../topics.ts';

/** An open round with its drawn seats, and the task that it is of. */
export interface OpenRound {
  readonly known: KnownTask;
  readonly round: Round;
  readonly panelists: readonly Panelist[];
}

/** Takes an open round on after a vote or a no-show: it decides, calls others in, or waits. */
export function takeRoundOn(db: Decider, hub: Hub, open: OpenRound, now: Instant): void {
  const outcome = tally(open.round.size, open.panelists);
  if ('verdict' in outcome) decide(db, hub, open, outcome, now);
  else if ('vacant' in outcome) fill(db, open, outcome.vacant, now);
}

/** Ends a round whose time is over: by the majority of its votes, or undecided for a new draw. */
export function endRound(
  db: Decider,
  hub: Hub,
  { known, round }: Omit<OpenRound, 'panelists'>,
  now: Instant,
): void {
  const panelists = releasePanelists(db, round.id);
  const outcome = tally(round.size, panelists);
  if ('verdict' in outcome) return decide(db, hub, { known, round, panelists }, outcome, now);
  db.put(ROUNDS, round.id, { ...round, state: 'undecided', closedAt: now });
  const waiting = db.find(PANEL_CASES, round.attemptId);
  assert(waiting !== undefined, 'a round is of a case');
  db.put(PANEL_CASES, round.attemptId, { ...waiting, state: 'due', dueAt: now });
  db.publish(PANELS_TOPIC);
}

/** Calls in the next in the order of the same draw that still may judge, as far as there are any. */
function fill(db: Decider, { round, panelists }: OpenRound, vacant: number, now: Instant): void {
  const order = drawOrder(Buffer.from(round.seed, 'hex'), round.pool);
  const first = Math.max(...panelists.map(({ place }) => place)) + 1;
  const rest = order.slice(first).map(({ account }, n) => ({ place: first + n, account }));
  let called = 0;
  let looked = 0;
  while (called < vacant && looked < rest.length) {
    // Twice as many each time, so that few reads find the seat behind many that have left.
    const next = rest.slice(looked, 2 * looked + vacant);
    looked += next.length;
    db.ask(next.map(({ account }) => need(SEATS, account)));
    for (const one of next) {
      const seat = db.find(SEATS, one.account);
      if (called === vacant || seat === undefined || !mayJudge(seat)) continue;
      callIn(db, round, one, now);
      called += 1;
    }
  }
  if (called > 0) db.publish(JUDGE_CALLS_TOPIC);
}

/** Transitions T9 and T10, with the record of each judge that voted, in one transaction. */
function decide(
  db: Decider,
  hub: Hub,
  open: OpenRound,
  { verdict, votes }: Extract<Tally, { readonly verdict: unknown }>,
  now: Instant,
): void {
  const { round, known } = open;
  const attempt = known.aggregate.live.find(({ id }) => id === round.attemptId);
  assert(attempt !== undefined, 'an open round is of a result that waits');
  db.ask(votes.map(({ account }) => need(SEATS, account)));
  const seats = votes.flatMap(({ account }) => db.find(SEATS, account) ?? []);
  db.put(ROUNDS, round.id, { ...round, state: 'decided', verdict, closedAt: now });
  const panel = { roundId: round.id, verdict, size: round.size, votes };
  const change = panelDecides(known.aggregate, attempt, panel, now);
  const committed = commitChange(db, hub, known, change, { actor: 'hub', at: now });
  for (const seat of seats) keepVote(db, hub, seat, { ...open, verdict }, now);
  settleAll(db, hub, committed, now);
}

/** A judge's record; half of twenty panels against it ends its seat (choices validators.record). */
function keepVote(
  db: Decider,
  hub: Hub,
  seat: ValidatorSeat,
  { round, panelists, verdict }: OpenRound & { readonly verdict: string },
  now: Instant,
): void {
  const panelist = panelists.find(({ account }) => account === seat.account);
  const agreed = round.size === 1 ? undefined : panelist?.verdict === verdict;
  const record = voted(seat.record, { agreed, answerMs: panelist?.answerMs ?? 0 });
  const after = { ...seat, record, measureAt: measuredNext(now) };
  const { id, account, network } = seat;
  if (seat.state !== 'seated' || !mustRetire(record)) return db.put(SEATS, account, after);
  db.put(SEATS, account, endSeat(after, 'retired', now));
  const ref = { kind: 'seat', id } as const;
  const cause = { subject: account, reason: 'seat.retired', ref, occasion: id } as const;
  recordCauses(db, hub, [cause], { at: now, network });
  burnStake(db, hub, seat);
}
