import type { Knex } from 'knex';
import { taskWords } from '../../domain/task/words.ts';
import type { Migration } from '../migration.ts';

/**
 * What each party of a task reads its own work by (choices tasks.overview), the orders of the list, and
 * the words that its text is found by.
 */
export const work: Migration = {
  name: '0031_work',
  async up(knex, { text, strictKeyed }) {
    await knex.raw(`ALTER TABLE tasks ADD COLUMN accepted_worker ${text}`);
    await knex.raw(`
      UPDATE tasks SET accepted_worker =
        (SELECT worker FROM attempts WHERE attempts.id = tasks.accepted_attempt)
       WHERE accepted_attempt IS NOT NULL`);
    for (const index of INDEXES) await knex.raw(`CREATE INDEX ${index}`);
    // The index over the state of all attempts counts live leases as well.
    await knex.raw('DROP INDEX attempts_live');
    await knex.raw(`
      CREATE TABLE task_words (
        word ${text} NOT NULL,
        task_id ${text} NOT NULL REFERENCES tasks (id),
        PRIMARY KEY (word, task_id)
      ) ${strictKeyed}`);
    await fillWords(knex);
  },
};

const INDEXES = [
  'attempts_worker_state ON attempts (worker, state, id)',
  'attempts_worker_id ON attempts (worker, id)',
  `tasks_accepted_worker ON tasks (accepted_worker, state, accepted_attempt)
     WHERE accepted_worker IS NOT NULL`,
  'tasks_requester_state ON tasks (requester, state, id)',
  `panel_seats_open ON panel_seats (account, round_id) WHERE state IN ('due', 'called')`,
  'tasks_reward ON tasks (COALESCE(reward, 0) DESC, id DESC)',
  `tasks_open_reward ON tasks (COALESCE(reward, 0) DESC, id DESC) WHERE state = 'open'`,
  'tasks_deadline ON tasks (deadline, id)',
  `karma_entries_ignored ON karma_entries (subject, at) WHERE reason = 'delivery.ignored'`,
  `tasks_open_deadline ON tasks (deadline, id) WHERE state = 'open'`,
];

/** Tasks that are read at a time. */
const STEP = 200;

/** Of tasks from before. */
async function fillWords(knex: Knex): Promise<void> {
  for (let after = ''; ;) {
    const tasks = await knex<Named>('tasks')
      .select('id', 'title', 'description')
      .where('id', '>', after)
      .orderBy('id')
      .limit(STEP);
    for (const task of tasks) {
      const rows = taskWords(task).map((word) => ({ word, task_id: task.id }));
      if (rows.length > 0) await knex.batchInsert('task_words', rows, STEP);
    }
    const last = tasks.at(-1);
    if (last === undefined || tasks.length < STEP) return;
    after = last.id;
  }
}

interface Named {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}
