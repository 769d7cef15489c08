import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/** Events of accounts are trimmed as new ones come. */
export const keptEvents: Migration = {
  name: '0051_kept_events',
  async up(knex, words) {
    await trimEvents(knex, words);
  },
};

/** Of an account 10,000 events are kept; the oldest go with every hundredth that comes. */
async function trimEvents(knex: Knex, { dialect }: DialectTypes): Promise<void> {
  const isPassed = 'NEW.seq / 100 <> OLD.seq / 100';
  const trim = 'DELETE FROM account_events WHERE account = NEW.account AND seq <= NEW.seq - 10000';
  if (dialect === 'sqlite') {
    await knex.raw(`CREATE TRIGGER account_events_kept AFTER UPDATE ON account_event_heads
      WHEN ${isPassed} BEGIN ${trim}; END`);
    return;
  }
  await knex.raw(`CREATE FUNCTION account_events_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${trim}; RETURN NULL; END $$`);
  await knex.raw(`CREATE TRIGGER account_events_kept AFTER UPDATE ON account_event_heads
    FOR EACH ROW WHEN (${isPassed}) EXECUTE FUNCTION account_events_kept()`);
}
