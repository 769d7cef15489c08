import type {
  AccessClass,
  Availability,
  ListingKind,
  Price,
} from '../../domain/registry/listing.ts';
import type { Foldable } from '../../domain/registry/fold.ts';
import { foldableOf } from '../registry/page.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import type { Atomic } from '../../domain/money.ts';
import { TASK_STATES, type TaskState } from '../../domain/tasks/model.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Dialect, type Reader, type Row } from '../connection.ts';
import { IN_LIST } from '../inList.ts';
import { JSON_ROWS } from '../jsonRows.ts';
import type { Found } from '../../domain/search/found.ts';
import {
  codeOfPackage,
  isPackageId,
  type PublisherProof,
} from '../../domain/registry/serverPackage.ts';
import type { PackageRow } from '../registry/packages.ts';

/** The data of each thing that a search found; things that are gone meanwhile are left out. */
export interface HydratedListing {
  readonly name: string;
  readonly text: string;
  readonly availability: Availability;
  readonly access: AccessClass;
  readonly price: Price | undefined;
  readonly karma: number;
  readonly protocol: ListingKind;
  readonly endpoint: string;
  readonly foldable: Foldable;
}
export type HydratedSkill = Pick<HydratedListing, 'name' | 'text' | 'access' | 'price'>;
export interface HydratedTask {
  readonly taskId: string;
  readonly title: string;
  readonly text: string;
  readonly state: TaskState;
  readonly reward: { readonly amount: Atomic; readonly network: NetworkId } | undefined;
}
export interface HydratedPackage extends Pick<
  PackageRow,
  'name' | 'version' | 'title' | 'publisher' | 'proof' | 'registryType' | 'identifier' | 'feed'
> {
  readonly text: string;
  readonly signals: number;
  readonly foldable: Foldable;
}
export type Hydrated =
  | { readonly kind: 'agent'; readonly of: HydratedListing }
  | { readonly kind: 'package'; readonly of: HydratedPackage }
  | { readonly kind: 'skill'; readonly of: HydratedSkill; readonly listing: HydratedListing }
  | { readonly kind: 'task' | 'comment'; readonly of: HydratedTask };

const PLACES = {
  sqlite: `json_each(?) AS g JOIN listing_skills AS s
      ON s.listing_id = g.value ->> 0 AND s.place = g.value ->> 1`,
  postgres: `jsonb_array_elements(?::jsonb) AS g (value) JOIN listing_skills AS s
      ON s.listing_id = g.value ->> 0 AND s.place = (g.value ->> 1)::bigint`,
};
const PRICE = `'price_amount', price_amount, 'price_asset', price_asset,
      'price_network', price_network`;
const LISTING = `'id', id, 'name', name, 'text', description, 'availability', availability,
      'access', access, 'karma', karma, 'kind', kind,
      'endpoint', endpoint, 'operator_id', operator_id, 'passport_key_id', passport_key_id,
      'stands_under', stands_under, ${PRICE}`;
const SKILL = `'listing_id', listing_id, 'place', place, 'name', name, 'text', description,
      'access', access, ${PRICE}`;
const PACKAGE = `'id', id, 'name', name, 'version', version, 'title', title, 'text', description,
      'publisher', publisher, 'proof', proof, 'registry_type', registry_type,
      'identifier', identifier, 'feed', feed, 'signals', signals, 'stands_under', stands_under`;
const TASK = `'title', t.title, 'state', t.state, 'reward', t.reward, 'network', t.network`;
const shownText = (dialect: Dialect): string => {
  const [list, ids] = [JSON_ROWS[dialect].objects, IN_LIST[dialect]];
  return `SELECT
    (SELECT ${list(LISTING)} FROM listings WHERE id ${ids}) AS listings,
    (SELECT ${list(PACKAGE)} FROM server_packages WHERE id ${ids}) AS packages,
    (SELECT ${list(SKILL)} FROM ${PLACES[dialect]}) AS skills,
    (SELECT ${list(`'id', t.id, 'task_id', t.id, 'text',
      CASE WHEN t.audience IS NULL THEN t.description ELSE '' END, ${TASK}`)}
      FROM tasks AS t WHERE t.id ${ids}) AS tasks,
    (SELECT ${list(`'id', c.id, 'task_id', t.id, 'text', c.body, ${TASK}`)}
      FROM comments AS c JOIN tasks AS t ON t.id = c.task_id
      WHERE c.body IS NOT NULL AND t.audience IS NULL AND c.id ${ids}) AS comments`;
};
const SHOWN = statement(shownText('sqlite'), shownText('postgres'));

export async function hydrate(
  db: Reader,
  found: readonly Found[],
): Promise<ReadonlyMap<Found, Hydrated>> {
  if (found.length === 0) return new Map();
  const of = (...kinds: readonly Found['kind'][]): readonly string[] => [
    ...new Set(found.filter(({ kind }) => kinds.includes(kind)).map(({ ref }) => ref)),
  ];
  const places = found
    .filter(({ kind }) => kind === 'skill')
    .map(({ ref, part }) => [ref, part] as const);
  const packages = of('agent').filter(isPackageId);
  const given = [of('agent', 'skill'), packages, JSON.stringify(places), of('task'), of('comment')];
  const [row] = await linkOf(db).rows(SHOWN, given);
  if (row === undefined) return new Map();
  const all = {
    listings: byName(column.json(row, 'listings'), id, listingOf),
    packages: byName(column.json(row, 'packages'), id, packageOf),
    skills: byName(column.json(row, 'skills'), placeOf, skillOf),
    task: byName(column.json(row, 'tasks'), id, taskOf),
    comment: byName(column.json(row, 'comments'), id, taskOf),
  };
  return new Map(
    found.flatMap((each): (readonly [Found, Hydrated])[] => {
      const shown = one(each, all);
      return shown === undefined ? [] : [[each, shown]];
    }),
  );
}

interface All {
  readonly listings: ReadonlyMap<string, HydratedListing>;
  readonly packages: ReadonlyMap<string, HydratedPackage>;
  readonly skills: ReadonlyMap<string, HydratedSkill>;
  readonly task: ReadonlyMap<string, HydratedTask>;
  readonly comment: ReadonlyMap<string, HydratedTask>;
}

function one({ kind, ref, part }: Found, all: All): Hydrated | undefined {
  if (kind === 'task' || kind === 'comment') {
    const work = all[kind].get(ref);
    return work && { kind, of: work };
  }
  if (isPackageId(ref)) {
    const found = all.packages.get(ref);
    return found && { kind: 'package', of: found };
  }
  const listing = all.listings.get(ref);
  if (listing === undefined) return undefined;
  if (kind === 'agent') return { kind, of: listing };
  const skill = all.skills.get(`${ref} ${part}`);
  return skill && { kind, of: skill, listing };
}

/** By what names a row, in the list that one column holds. */
function byName<T>(
  list: unknown,
  name: (row: Row) => string,
  read: (row: Row) => T,
): ReadonlyMap<string, T> {
  return new Map((list as readonly Row[]).map((row) => [name(row), read(row)]));
}

function id(row: Row): string {
  return column.text(row, 'id');
}

function placeOf(row: Row): string {
  return `${column.text(row, 'listing_id')} ${column.whole(row, 'place')}`;
}

function listingOf(row: Row): HydratedListing {
  return {
    name: column.text(row, 'name'),
    text: column.textOrNull(row, 'text') ?? '',
    availability: column.text(row, 'availability') as Availability,
    access: column.text(row, 'access') as AccessClass,
    price: priceOf(row),
    karma: column.whole(row, 'karma'),
    protocol: column.text(row, 'kind') as ListingKind,
    endpoint: column.text(row, 'endpoint'),
    foldable: foldableOf(row),
  };
}

function packageOf(row: Row): HydratedPackage {
  const under = column.textOrNull(row, 'stands_under');
  return {
    name: column.text(row, 'name'),
    version: column.text(row, 'version'),
    title: column.text(row, 'title'),
    text: column.text(row, 'text'),
    publisher: column.text(row, 'publisher'),
    proof: column.text(row, 'proof') as PublisherProof,
    registryType: column.text(row, 'registry_type'),
    identifier: column.text(row, 'identifier'),
    feed: column.text(row, 'feed'),
    signals: column.whole(row, 'signals'),
    foldable: {
      id: codeOfPackage(id(row)),
      operatorId: `package ${column.text(row, 'publisher')}`,
      ...(under !== null && { standsUnder: codeOfPackage(under) }),
    },
  };
}

function skillOf(row: Row): HydratedSkill {
  return {
    name: column.text(row, 'name'),
    text: column.text(row, 'text'),
    access: column.text(row, 'access') as AccessClass,
    price: priceOf(row),
  };
}

function taskOf(row: Row): HydratedTask {
  const state = TASK_STATES.find((each) => each === row['state']);
  if (state === undefined) throw new Error('a task of an unknown state');
  const amount = column.amountOrNull(row, 'reward');
  const network = parseNetworkId(column.textOrNull(row, 'network') ?? '');
  return {
    taskId: column.text(row, 'task_id'),
    title: column.text(row, 'title'),
    text: column.text(row, 'text'),
    state,
    reward: amount !== null && network !== undefined ? { amount, network } : undefined,
  };
}

function priceOf(row: Row): Price | undefined {
  const amount = column.amountOrNull(row, 'price_amount');
  if (amount === null) return undefined;
  const network = column.textOrNull(row, 'price_network');
  const asset = column.text(row, 'price_asset');
  return { amount, asset, ...(network !== null && { network }) };
}
