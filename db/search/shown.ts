import type { AccessClass, Availability, Price } from '../../domain/registry/listing.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import type { Atomic } from '../../domain/money.ts';
import { TASK_STATES, type TaskState } from '../../domain/task/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import type { Found } from './find.ts';

/** What is told of each thing that a search found; what is gone meanwhile is left out. */
export interface ShownListing {
  readonly name: string;
  readonly text: string;
  readonly availability: Availability;
  readonly access: AccessClass;
  readonly price?: Price;
  readonly karma: number;
  readonly reach: number;
}
export interface ShownSkill extends ShownListing {
  readonly skill: string;
}
export interface ShownTask {
  readonly taskId: string;
  readonly title: string;
  readonly text: string;
  readonly state: TaskState;
  readonly reward?: { readonly amount: Atomic; readonly network: NetworkId };
}
export type Shown =
  | { readonly kind: 'agent'; readonly found: Found; readonly of: ShownListing }
  | { readonly kind: 'skill'; readonly found: Found; readonly of: ShownSkill }
  | { readonly kind: 'task' | 'comment'; readonly found: Found; readonly of: ShownTask };

const GIVEN = { sqlite: 'IN (SELECT value FROM json_each(?))', postgres: '= ANY(?::text[])' };
const among = (text: (given: string) => string) =>
  statement(text(GIVEN.sqlite), text(GIVEN.postgres));

const PRICE = 'price_amount, price_asset, price_network, price_pay_to';
const LISTINGS = among(
  (given) => `SELECT id, name, description AS text, availability, access, ${PRICE}, karma, reach
    FROM listings WHERE id ${given}`,
);
const SKILL_PRICE = PRICE.replace(/price_/g, 's.price_');
const SKILLS = statement(
  `SELECT s.listing_id, s.place, s.name, s.description AS text, s.access, ${SKILL_PRICE}
    FROM json_each(?) AS g JOIN listing_skills AS s
      ON s.listing_id = g.value ->> 0 AND s.place = g.value ->> 1`,
  `SELECT s.listing_id, s.place, s.name, s.description AS text, s.access, ${SKILL_PRICE}
    FROM jsonb_array_elements(?::jsonb) AS g (value) JOIN listing_skills AS s
      ON s.listing_id = g.value ->> 0 AND s.place = (g.value ->> 1)::bigint`,
);
const TASKS = among(
  (given) => `SELECT id, id AS task_id, title, description AS text, state, reward, network
    FROM tasks WHERE id ${given}`,
);
const COMMENTS = among(
  (given) => `SELECT c.id, c.task_id, t.title, c.body AS text, t.state, t.reward, t.network
    FROM comments AS c JOIN tasks AS t ON t.id = c.task_id
    WHERE c.body IS NOT NULL AND c.id ${given}`,
);

export async function shownOf(db: Reader, found: readonly Found[]): Promise<readonly Shown[]> {
  const link = linkOf(db);
  const of = (...kinds: readonly Found['kind'][]): readonly Found[] =>
    found.filter(({ kind }) => kinds.includes(kind));
  const refs = (all: readonly Found[]): string[] => [...new Set(all.map(({ ref }) => ref))];
  const rows = async (all: readonly Found[], text: typeof LISTINGS): Promise<readonly Row[]> =>
    all.length === 0 ? [] : link.rows(text, [refs(all)]);
  const skills = of('skill');
  const places = JSON.stringify(skills.map(({ ref, part }) => [ref, part]));
  const listings = byName(await rows(of('agent', 'skill'), LISTINGS), (row) => id(row));
  const parts = byName(skills.length === 0 ? [] : await link.rows(SKILLS, [places]), placeOf);
  const tasks = byName(await rows(of('task'), TASKS), id);
  const comments = byName(await rows(of('comment'), COMMENTS), id);
  return found.flatMap((each): Shown[] => {
    const { kind, ref, part } = each;
    switch (kind) {
      case 'agent':
      case 'skill': {
        const listing = listings.get(ref);
        if (listing === undefined) return [];
        if (kind === 'agent') return [{ kind, found: each, of: listingOf(listing) }];
        const skill = parts.get(`${ref} ${part}`);
        return skill === undefined ? [] : [{ kind, found: each, of: skillOf(listing, skill) }];
      }
      case 'task':
      case 'comment': {
        const row = (kind === 'task' ? tasks : comments).get(ref);
        return row === undefined ? [] : [{ kind, found: each, of: taskOf(row) }];
      }
    }
  });
}

function byName(rows: readonly Row[], name: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [name(row), row]));
}

function id(row: Row): string {
  return column.text(row, 'id');
}

function placeOf(row: Row): string {
  return `${column.text(row, 'listing_id')} ${column.whole(row, 'place')}`;
}

function listingOf(row: Row): ShownListing {
  return {
    name: column.text(row, 'name'),
    text: column.textOrNull(row, 'text') ?? '',
    availability: column.text(row, 'availability') as Availability,
    access: column.text(row, 'access') as AccessClass,
    ...priceOf(row),
    karma: column.whole(row, 'karma'),
    reach: column.whole(row, 'reach'),
  };
}

function skillOf(listing: Row, skill: Row): ShownSkill {
  const { price: _, ...shared } = listingOf(listing);
  return {
    ...shared,
    skill: column.text(skill, 'name'),
    text: column.text(skill, 'text'),
    access: column.text(skill, 'access') as AccessClass,
    ...priceOf(skill),
  };
}

function taskOf(row: Row): ShownTask {
  const state = TASK_STATES.find((each) => each === row['state']);
  if (state === undefined) throw new Error('a task of an unknown state');
  const amount = column.amountOrNull(row, 'reward');
  const network = parseNetworkId(column.textOrNull(row, 'network') ?? '');
  return {
    taskId: column.text(row, 'task_id'),
    title: column.text(row, 'title'),
    text: column.text(row, 'text'),
    state,
    ...(amount !== null && network !== undefined && { reward: { amount, network } }),
  };
}

function priceOf(row: Row): { readonly price?: Price } {
  const amount = column.amountOrNull(row, 'price_amount');
  if (amount === null) return {};
  const network = column.textOrNull(row, 'price_network');
  const asset = column.text(row, 'price_asset');
  return { price: { amount, asset, ...(network !== null && { network }) } };
}
