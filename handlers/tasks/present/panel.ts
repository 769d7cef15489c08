import { need } from '../../../db/batch/need.ts';
import type { Decider } from '../../../db/batch/transaction.ts';
import { PANELISTS_OF_ROUND, type Panelist } from '../../../db/validators/panelists.ts';
import { SHOWN_ROUNDS, type Round } from '../../../db/validators/rounds.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

type PanelRound = Schemas['PanelRound'];
type Judge = PanelRound['judges'][number];

/** The panels of a task, oldest first, the newest when there are more. */
export function panelsOf(db: Decider, taskId: string): PanelRound[] {
  const rounds = db.list(SHOWN_ROUNDS, taskId);
  db.ask(rounds.map(({ id }) => need(PANELISTS_OF_ROUND, id)));
  return rounds.map((round) => presentRound(round, db.list(PANELISTS_OF_ROUND, round.id)));
}

function presentRound(round: Round, panelists: readonly Panelist[]): PanelRound {
  const { id, attemptId, state, size, verdict, pulseSeq, seed, pool, closedAt } = round;
  const open = state === 'open';
  return {
    id,
    attemptId,
    round: round.round,
    state,
    size,
    verdict,
    pulseSeq,
    seed,
    pool: pool.map(({ account, weight, group }) => ({ account, weight: `${weight}`, group })),
    judges: panelists.map((panelist) => (open ? presentSealed(panelist) : presentJudge(panelist))),
    drawnAt: round.drawnAt,
    endsAt: round.endsAt,
    closedAt,
  };
}

/** No judge learns how or whether another voted while it may copy it (threats.copied-votes). */
function presentSealed({ account, state }: Panelist): Judge {
  return { account, state: state === 'no-show' ? 'no-show' : 'drawn' };
}

function presentJudge(panelist: Panelist): Judge {
  const { account, state, verdict, reason, answeredAt, answerMs, confidenceBps } = panelist;
  return {
    account,
    state: state === 'due' || state === 'called' ? 'released' : state,
    verdict,
    ...(reason !== undefined && reason !== '' && { reason }),
    ...(confidenceBps !== undefined && { confidence: confidenceBps / 10_000 }),
    answeredAt,
    answerMs,
  };
}
