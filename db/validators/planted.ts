import type { Instant } from '../../domain/instant.ts';
import type { Verdict } from '../../domain/validators/panel.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Writer } from '../connection.ts';

const ATTEMPT = `
  SELECT a.state, t.verification FROM attempts a JOIN tasks t ON t.id = a.task_id
   WHERE a.id = ?`;
const LOCKED = statement(ATTEMPT, `${ATTEMPT} FOR UPDATE`);
const INSERT = statement(`
  INSERT INTO planted_answers (attempt_id, answer, at) VALUES (?, ?, ?)
  ON CONFLICT (attempt_id) DO NOTHING RETURNING attempt_id`);

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
  planted: { readonly attemptId: string; readonly answer: Verdict; readonly at: Instant },
): Promise<boolean> {
  const { attemptId, answer, at } = planted;
  return (await linkOf(tx).rows(INSERT, [attemptId, answer, at])).length > 0;
}
