import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Listings as they are shown (choices registry.texts). A text names the version of everything that
 * it was made from: `listing_stamps` counts the changes of a group of listings, and of the names
 * under one operator. Triggers count, so no writer can forget it, and a text that was made before a
 * change is never shown after it. `made` is the version that the texts were last made for.
 */
export const listingTexts: Migration = {
  name: '0025_listing_texts',
  async up(knex, words) {
    await tables(knex, words);
    await knex.raw(`
      INSERT INTO listing_stamps (part, name, stamp, made)
      SELECT 'group', agent_group, 1, 0 FROM listings GROUP BY agent_group
      UNION ALL SELECT 'operator', operator_id, 1, 0 FROM listings GROUP BY operator_id`);
    const make = words.dialect === 'sqlite' ? sqliteTrigger : postgresTrigger;
    for (const trigger of TRIGGERS) await make(knex, trigger);
  },
};

async function tables(knex: Knex, { int, text, strict, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE listing_stamps (
      part ${text} NOT NULL CHECK (part IN ('group', 'operator')),
      name ${text} NOT NULL,
      stamp ${int} NOT NULL,
      made ${int} NOT NULL,
      PRIMARY KEY (part, name)
    ) ${strictKeyed}`);
  await knex.raw(
    'CREATE INDEX listing_stamps_due ON listing_stamps (part, name) WHERE stamp <> made',
  );
  await knex.raw(`
    CREATE TABLE listing_texts (
      listing_id ${text} PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
      form ${text} NOT NULL,
      agent_group ${text} NOT NULL,
      group_stamp ${int} NOT NULL,
      operator_id ${text} NOT NULL,
      operator_stamp ${int} NOT NULL,
      until ${int} NOT NULL,
      tag ${text} NOT NULL,
      short ${text},
      record ${text}
    ) ${strict}`);
  await knex.raw('CREATE INDEX listing_texts_until ON listing_texts (form, until)');
  await knex.raw(
    'CREATE INDEX listing_texts_operator ON listing_texts (operator_id, operator_stamp)',
  );
}

interface Trigger {
  readonly name: string;
  readonly on: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly when?: string;
  readonly counts: readonly string[];
}

function group(row: 'OLD' | 'NEW'): string {
  return counted('group', `${row}.agent_group`, '1 = 1');
}

/** Texts show the first 101 listings of an operator at most, so a change behind them is not counted. */
function operator(row: 'OLD' | 'NEW'): string {
  const earlier = `SELECT 1 FROM listings
    WHERE operator_id = ${row}.operator_id AND id < ${row}.id LIMIT 101`;
  const isShown = `(SELECT count(*) FROM (${earlier}) AS earlier) <= 100`;
  return counted('operator', `${row}.operator_id`, isShown);
}

function counted(part: 'group' | 'operator', name: string, when: string): string {
  return `INSERT INTO listing_stamps (part, name, stamp, made)
    SELECT '${part}', ${name}, 1, 0 WHERE ${when}
    ON CONFLICT (part, name) DO UPDATE SET stamp = listing_stamps.stamp + 1;`;
}

const RENAMED = ['kind', 'name', 'endpoint', 'operator_id']
  .map((column) => `OLD.${column} <> NEW.${column}`)
  .join(' OR ');
const TRIGGERS: readonly Trigger[] = [
  { name: 'insert', on: 'INSERT', counts: [group('NEW'), operator('NEW')] },
  { name: 'delete', on: 'DELETE', counts: [group('OLD'), operator('OLD')] },
  { name: 'update', on: 'UPDATE', counts: [group('NEW')] },
  {
    name: 'move',
    on: 'UPDATE',
    when: 'OLD.agent_group <> NEW.agent_group',
    counts: [group('OLD')],
  },
  { name: 'rename', on: 'UPDATE', when: RENAMED, counts: [operator('OLD'), operator('NEW')] },
];

function conditionOf({ when }: Trigger): string {
  return when === undefined ? '' : `WHEN (${when})`;
}

async function sqliteTrigger(knex: Knex, trigger: Trigger): Promise<void> {
  const { name, on, counts } = trigger;
  await knex.raw(`CREATE TRIGGER listing_stamps_${name} AFTER ${on} ON listings
    ${conditionOf(trigger)} BEGIN ${counts.join(' ')} END`);
}

async function postgresTrigger(knex: Knex, trigger: Trigger): Promise<void> {
  const { on, counts } = trigger;
  const name = `listing_stamps_${trigger.name}`;
  await knex.raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${counts.join(' ')} RETURN NULL; END $$`);
  await knex.raw(`CREATE TRIGGER ${name} AFTER ${on} ON listings FOR EACH ROW
    ${conditionOf(trigger)} EXECUTE FUNCTION ${name}()`);
}
