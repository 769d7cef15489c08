import { agentOf, bpsOf, release } from './books.ts';
import { settleDue } from './clock.ts';
import { draw, winnerOf } from './disputeClock.ts';
import { because, giveKarma } from './karma.ts';
import { claimEnded, collectFrom } from './loans.ts';
import { HUB_BPS, payJudges } from './settle.ts';
import { HOUR, type Attempt, type Dispute, type Expected, type Model, type Task } from './types.ts';

/** Disputes (choices disputes.arbiter, T20 to T23): an arbiter decides, or none in 48 hours. */
const VOID_AFTER = 48 * HOUR;
const ARBITER_BPS = 100n;
const SHARE_DEFAULT = 5_000;

export function dispute(model: Model, task: Task, by: number): Expected {
  settleDue(model, task);
  if (by !== task.requester && by !== winnerOf(task)?.worker) return { refused: 'not-a-party' };
  if (task.dispute !== undefined) return { refused: 'already-disputed' };
  if (task.state === 'paid') return { refused: 'window-closed' };
  if (task.state !== 'accepted' || task.hold !== 'payout') return { refused: 'wrong-state' };
  task.state = 'disputed';
  const raised: Dispute = {
    raisedBy: by,
    voidAt: model.now + VOID_AFTER,
    state: 'drawn',
    arbiter: undefined,
    until: 0,
    late: [],
    awaited: undefined,
  };
  task.dispute = raised;
  draw(model, task, raised);
  return { ok: { state: raised.awaited === undefined ? 'searching' : 'drawn' } };
}

export interface Verdict {
  readonly verdict: 'upheld' | 'rejected' | 'split';
  readonly shareBps?: number;
}

export function arbitrate(model: Model, task: Task, by: number, ruling: Verdict): Expected {
  settleDue(model, task);
  const open = task.dispute;
  if (open === undefined) return { refused: 'not-found' };
  if (open.arbiter !== by) return { refused: 'not-the-arbiter' };
  if (open.state !== 'drawn') return { refused: 'wrong-state' };
  if (ruling.shareBps !== undefined && ruling.verdict !== 'split') {
    return { refused: 'share-needs-split' };
  }
  rule(model, task, open, ruling);
  return { ok: { 'dispute.verdict': ruling.verdict, 'dispute.state': 'ruled' } };
}

/** The table of choices disputes.money. */
function rule(model: Model, task: Task, open: Dispute, ruling: Verdict): void {
  const winner = winnerOf(task);
  const { arbiter } = open;
  if (winner === undefined || arbiter === undefined)
    throw new Error(`${task.name}: no arbiter rules`);
  const fee = bpsOf(task.reward, HUB_BPS);
  const judges = payJudges(model, task);
  const disputed = task.reward - fee - judges;
  const pay = bpsOf(disputed, ARBITER_BPS);
  const isBack = ruling.verdict === 'upheld' && open.raisedBy === task.requester;
  const share = BigInt(ruling.shareBps ?? SHARE_DEFAULT);
  const bps = isBack ? 0n : ruling.verdict === 'split' ? share : 10_000n;
  const hub = bpsOf(fee, bps);
  const side = bpsOf(disputed - pay, bps);
  const requester = agentOf(model, task.requester);
  release(requester, `payout ${task.name}`, task.reward);
  requester.balance -= hub + pay + side;
  model.fees += hub;
  agentOf(model, arbiter).balance += pay;
  const taken = side > 0n ? collectFrom(model, winner, side, hub) : 0n;
  agentOf(model, winner.payee).balance += side - taken;
  task.returned = task.reward - judges - hub - pay - side;
  if (isBack) overturn(model, task, winner);
  task.hold = 'none';
  task.state = isBack ? 'refunded' : 'paid';
  open.state = 'ruled';
  claimEnded(model, winner.name);
  praise(model, task, open, { ...ruling, winner: winner.worker, arbiter });
}

/** Who voted for a result that lost its dispute has that on record; it is shown, not counted. */
function overturn(model: Model, { rounds }: Task, winner: Attempt): void {
  const deciding = rounds.find(
    ({ attempt, verdict }) => attempt === winner && verdict === 'accepted',
  );
  for (const { agent, vote } of deciding?.panelists ?? []) {
    const { seat } = agentOf(model, agent);
    if (vote === 'accepted' && seat !== undefined) seat.overturned += 1;
  }
}

/** The loser of a dispute loses karma; an arbiter in time gains some; a split has no loser. */
function praise(
  model: Model,
  task: Task,
  open: Dispute,
  ruling: Verdict & { readonly winner: number; readonly arbiter: number },
): void {
  const parties = [task.requester, ruling.winner];
  const other = parties.find((party) => party !== open.raisedBy);
  const loser =
    ruling.verdict === 'split' ? undefined : ruling.verdict === 'upheld' ? other : open.raisedBy;
  if (loser !== undefined) giveKarma(model, loser, -3, { why: 'dispute.lost' });
  giveKarma(model, ruling.arbiter, 1, because(task, 'arbiter.ruled'));
}
