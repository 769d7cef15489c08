import type { Verdict } from '../../domain/validators/panel.ts';
import { moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** Answers that the operator knows, which no public read opens. */
export const PLANTED_ANSWERS = table(
  'planted_answers',
  { attemptId: text().key(), answer: text<Verdict>(), at: moment() },
  { use: 'single', personal: { apart: 'about no account' } },
);

const ATTEMPT = `
  SELECT a.state, t.verification FROM attempts a JOIN tasks t ON t.id = a.task_id
   WHERE a.id = ?`;
const LOCKED = statement(ATTEMPT, `${ATTEMPT} FOR UPDATE`);
const INSERT = statement(`
  ${PLANTED_ANSWERS.insertion} ON CONFLICT (attempt_id) DO NOTHING RETURNING attempt_id`);

export interface PlantableAttempt {
  readonly state: string;
  readonly verification: string;
}

/** Returns the attempt and locks it with its task, so that no panel decides about it meanwhile. */
export async function lockPlantable(
  tx: Writer,
  attemptId: string,
): Promise<PlantableAttempt | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [attemptId]));
  return (
    row && { state: column.text(row, 'state'), verification: column.text(row, 'verification') }
  );
}

/** Stores the answer that the operator knows. Returns false if one is stored already. */
export async function insertPlanted(
  tx: Writer,
  planted: RowIn<typeof PLANTED_ANSWERS>,
): Promise<boolean> {
  return (await linkOf(tx).rows(INSERT, PLANTED_ANSWERS.cells(planted))).length > 0;
}
