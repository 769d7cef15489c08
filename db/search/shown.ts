import type { AccessClass, Availability, Price } from '../../domain/registry/listing.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import type { Atomic } from '../../domain/money.ts';
import { TASK_STATES, type TaskState } from '../../domain/task/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Dialect, type Reader, type Row } from '../connection.ts';
import { GIVEN } from '../given.ts';
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

/** A list of rows as one JSON text: rows by themselves cost more than all the rest of a search. */
const LIST: Readonly<Record<Dialect, (row: string) => string>> = {
  sqlite: (row) => `json_group_array(json_object(${row}))`,
  postgres: (row) => `coalesce(json_agg(json_build_object(${row})), '[]')::text`,
};
const PLACES = {
  sqlite: `json_each(?) AS g JOIN listing_skills AS s
      ON s.listing_id = g.value ->> 0 AND s.place = g.value ->> 1`,
  postgres: `jsonb_array_elements(?::jsonb) AS g (value) JOIN listing_skills AS s
      ON s.listing_id = g.value ->> 0 AND s.place = (g.value ->> 1)::bigint`,
};
const PRICE = `'price_amount', price_amount, 'price_asset', price_asset,
      'price_network', price_network`;
const LISTING = `'id', id, 'name', name, 'text', description, 'availability', availability,
      'access', access, 'karma', karma, 'reach', reach, ${PRICE}`;
const SKILL = `'listing_id', listing_id, 'place', place, 'name', name, 'text', description,
      'access', access, ${PRICE}`;
const TASK = `'title', t.title, 'state', t.state, 'reward', t.reward, 'network', t.network`;
const shownText = (dialect: Dialect): string => {
  const [list, ids] = [LIST[dialect], GIVEN[dialect]];
  return `SELECT
    (SELECT ${list(LISTING)} FROM listings WHERE id ${ids}) AS listings,
    (SELECT ${list(SKILL)} FROM ${PLACES[dialect]}) AS skills,
    (SELECT ${list(`'id', t.id, 'task_id', t.id, 'text', t.description, ${TASK}`)}
      FROM tasks AS t WHERE t.id ${ids}) AS tasks,
    (SELECT ${list(`'id', c.id, 'task_id', t.id, 'text', c.body, ${TASK}`)}
      FROM comments AS c JOIN tasks AS t ON t.id = c.task_id
      WHERE c.body IS NOT NULL AND c.id ${ids}) AS comments`;
};
const SHOWN = statement(shownText('sqlite'), shownText('postgres'));

export async function shownOf(db: Reader, found: readonly Found[]): Promise<readonly Shown[]> {
  if (found.length === 0) return [];
  const of = (...kinds: readonly Found['kind'][]): readonly string[] => [
    ...new Set(found.filter(({ kind }) => kinds.includes(kind)).map(({ ref }) => ref)),
  ];
  const places = found
    .filter(({ kind }) => kind === 'skill')
    .map(({ ref, part }) => [ref, part] as const);
  const given = [of('agent', 'skill'), JSON.stringify(places), of('task'), of('comment')];
  const [row] = await linkOf(db).rows(SHOWN, given);
  if (row === undefined) return [];
  const listings = byName(column.json(row, 'listings'), id);
  const skills = byName(column.json(row, 'skills'), placeOf);
  const tasks = byName(column.json(row, 'tasks'), id);
  const comments = byName(column.json(row, 'comments'), id);
  return found.flatMap((each): Shown[] => {
    const { kind, ref, part } = each;
    switch (kind) {
      case 'agent':
      case 'skill': {
        const listing = listings.get(ref);
        if (listing === undefined) return [];
        if (kind === 'agent') return [{ kind, found: each, of: listingOf(listing) }];
        const skill = skills.get(`${ref} ${part}`);
        return skill === undefined ? [] : [{ kind, found: each, of: skillOf(listing, skill) }];
      }
      case 'task':
      case 'comment': {
        const work = (kind === 'task' ? tasks : comments).get(ref);
        return work === undefined ? [] : [{ kind, found: each, of: taskOf(work) }];
      }
    }
  });
}

/** By what names a row, in the list that one column holds. */
function byName(list: unknown, name: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map((list as readonly Row[]).map((row) => [name(row), row]));
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
