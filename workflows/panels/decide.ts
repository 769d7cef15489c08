import { strict as assert } from 'node:assert';
import { caseOf, saveCase } from '../../db/validators/cases.ts';
import { releasePanelists, addPanelist, type Panelist } from '../../db/validators/panelists.ts';
import { closeRound, type Round } from '../../db/validators/rounds.ts';
import { lockSeats, saveSeat } from '../../db/validators/seats.ts';
import type { Writer } from '../../db/store.ts';
import { drawOrder } from '../../domain/draw.ts';
import type { Instant } from '../../domain/instant.ts';
import { panelDecides } from '../../domain/task/judged.ts';
import { tally, type Tally } from '../../domain/validator/panel.ts';
import {
  endSeat,
  mayJudge,
  mustRetire,
  voted,
  type ValidatorSeat,
} from '../../domain/validator/seat.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { recordInside } from '../karma/record.ts';
import { commitChange } from '../tasks/commit.ts';
import type { Loaded } from '../tasks/aggregate.ts';
import { settleAll } from '../tasks/due.ts';
import { noteDraw } from '../validators/draw.ts';
import { burnStake } from '../validators/stake.ts';
import { JUDGE_CALLS_TOPIC, PANELS_TOPIC } from '../topics.ts';

/** An open round with its drawn seats, of a task that the caller holds. */
export interface OpenRound {
  readonly loaded: Loaded;
  readonly round: Round;
  readonly panelists: readonly Panelist[];
}

/** Takes an open round on after a vote or a no-show: it decides, calls others in, or waits. */
export async function takeRoundOn(
  tx: Writer,
  hub: Hub,
  open: OpenRound,
  now: Instant,
): Promise<void> {
  const outcome = tally(open.round.size, open.panelists);
  if ('verdict' in outcome) await decide(tx, hub, open, outcome, now);
  else if ('vacant' in outcome) await callIn(tx, open, outcome.vacant, now);
}

/**
 * Ends a round whose time is over: by its majority, if the votes have one, and else undecided, so
 * that it is drawn anew.
 */
export async function endRound(tx: Writer, hub: Hub, open: OpenRound, now: Instant): Promise<void> {
  const { round } = open;
  await releasePanelists(tx, round.id);
  const panelists = open.panelists.filter(({ state }) => state !== 'due' && state !== 'called');
  const outcome = tally(round.size, panelists);
  if ('verdict' in outcome) {
    await decide(tx, hub, { ...open, panelists: panelists }, outcome, now);
    return;
  }
  await closeRound(tx, round.id, { state: 'undecided' }, now);
  const waiting = await caseOf(tx, round.attemptId);
  assert(waiting !== undefined, 'a round is of a case');
  await saveCase(tx, { ...waiting, state: 'due', dueAt: now });
  tx.publish(PANELS_TOPIC);
}

/** The next in the order of the same draw that still may judge; nobody when there is no more. */
async function callIn(
  tx: Writer,
  { round, panelists: panelists }: OpenRound,
  vacant: number,
  now: Instant,
): Promise<void> {
  const order = drawOrder(Buffer.from(round.seed, 'hex'), round.pool);
  const first = Math.max(...panelists.map(({ place }) => place)) + 1;
  let called = 0;
  for (const [n, { account }] of order.slice(first).entries()) {
    if (called === vacant) break;
    const [seat] = await lockSeats(tx, [account]);
    if (seat === undefined || !mayJudge(seat)) continue;
    await addPanelist(tx, { roundId: round.id, place: first + n, account, dueAt: now });
    noteDraw(tx, round, account, now);
    called += 1;
  }
  if (called > 0) tx.publish(JUDGE_CALLS_TOPIC);
}

/** Transitions T9 and T10, with the record of everybody who voted, in one transaction. */
async function decide(
  tx: Writer,
  hub: Hub,
  open: OpenRound,
  outcome: Extract<Tally, { readonly verdict: unknown }>,
  now: Instant,
): Promise<void> {
  const { round, loaded } = open;
  const { verdict, votes } = outcome;
  const attempt = loaded.aggregate.live.find(({ id }) => id === round.attemptId);
  assert(attempt !== undefined, 'an open round is of a result that waits');
  const seats = await lockSeats(
    tx,
    votes.map(({ account }) => account),
  );
  await closeRound(tx, round.id, { state: 'decided', verdict }, now);
  const panel = { roundId: round.id, verdict, size: round.size, votes };
  const change = panelDecides(loaded.aggregate, attempt, panel, now);
  const committed = await commitChange(tx, hub, loaded, change, { actor: 'hub', at: now });
  for (const seat of seats) await keepVote(tx, hub, seat, { ...open, verdict }, now);
  await settleAll(tx, hub, committed, now);
}

/**
 * Writes one judge's record; half of its last twenty panels against it ends its seat (choices
 * validators.record).
 */
async function keepVote(
  tx: Writer,
  hub: Hub,
  seat: ValidatorSeat,
  { round, panelists: panelists, verdict }: OpenRound & { readonly verdict: string },
  now: Instant,
): Promise<void> {
  const panelist = panelists.find(({ account }) => account === seat.account);
  const agreed = round.size === 1 ? undefined : panelist?.verdict === verdict;
  const record = voted(seat.record, { agreed, answerMs: panelist?.answerMs ?? 0 });
  const after = { ...seat, record };
  if (seat.state !== 'seated' || !mustRetire(record)) return saveSeat(tx, after);
  await saveSeat(tx, endSeat(after, 'retired', now));
  const { id, account: subject, network } = seat;
  const ref = { kind: 'seat', id } as const;
  const cause = { subject, reason: 'seat.retired', ref, occasion: id } as const;
  await recordInside(tx, hub, [cause], { at: now, network });
  await burnStake(tx, hub, seat);
}
