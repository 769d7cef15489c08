import type { Task } from '../../domain/task/model.ts';
import { taskWords } from '../../domain/task/words.ts';
import { linkOf, statement } from '../connection.ts';
import type { Writer } from '../connection.ts';

/** The table of words that a task is found by. */
const INSERT = statement(
  'INSERT INTO task_words (word, task_id) SELECT value, ? FROM json_each(?)',
  'INSERT INTO task_words (task_id, word) SELECT ?::text, unnest(?::text[])',
);

export async function insertWords(tx: Writer, task: Task): Promise<void> {
  const words = taskWords(task);
  if (words.length > 0) await linkOf(tx).rows(INSERT, [task.id, words]);
}
