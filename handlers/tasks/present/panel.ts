import { panelistsOf } from '../../../db/validators/panelists.ts';
import type { Panelist } from '../../../db/validators/panelists.ts';
import { roundsOfTask } from '../../../db/validators/rounds.ts';
import type { Round } from '../../../db/validators/rounds.ts';
import type { Reader } from '../../../db/store.ts';
import type { Schemas } from '../../../server/hub/answered.ts';

type PanelRound = Schemas['PanelRound'];
type Judge = PanelRound['judges'][number];

const SHOWN_MAX = 20;

/** The panels of a task, oldest first, the newest when there are more. */
export async function panelsOf(db: Reader, taskId: string): Promise<PanelRound[]> {
  const panels: PanelRound[] = [];
  for (const round of await roundsOfTask(db, taskId, SHOWN_MAX)) {
    panels.push(presentRound(round, await panelistsOf(db, round.id)));
  }
  return panels;
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
