import type { JsonObject } from '../jsonObject.ts';
import type { ListedSkill, Listing, ProbedListing, Price } from './listing.ts';
import { cut } from '../text.ts';

/** A difference between two looks at a listing: the trail of a tool that was swapped (idea 18). */
export interface Change {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The start of the old value; absent when added. */
  readonly before?: string;
  /** The start of the new value; absent when removed. */
  readonly after?: string;
}

export interface Described {
  readonly listing: Listing | ProbedListing;
  readonly skills: readonly ListedSkill[];
}

const SHOWN_MAX = 400;
const CHANGES_MAX = 100;
const FIELDS = [
  'endpoint',
  'transport',
  'protocolVersion',
  'name',
  'description',
  'version',
  'provider',
  'access',
] as const;

export function changesBetween(before: Described, after: Described): readonly Change[] {
  const own = FIELDS.flatMap((name) => difference(name, before.listing[name], after.listing[name]));
  return [...own, ...skillChanges(before.skills, after.skills)].slice(0, CHANGES_MAX);
}

function skillChanges(
  before: readonly ListedSkill[],
  after: readonly ListedSkill[],
): readonly Change[] {
  const old = new Map(before.map((skill) => [skill.id, skill]));
  const found: Change[] = [];
  for (const skill of after) {
    const path = `tools/${skill.id}`;
    const known = old.get(skill.id);
    old.delete(skill.id);
    if (known === undefined) found.push(...difference(path, undefined, skill.description || '-'));
    else found.push(...skillDifference(path, known, skill));
  }
  for (const { id, description } of old.values()) {
    found.push(...difference(`tools/${id}`, description || '-', undefined));
  }
  return found;
}

function skillDifference(path: string, before: ListedSkill, after: ListedSkill): readonly Change[] {
  const text = (schema: JsonObject | undefined): string | undefined =>
    schema === undefined ? undefined : JSON.stringify(schema);
  const described =
    before.descriptorHash === after.descriptorHash
      ? []
      : [
          ...difference(`${path}/description`, before.description, after.description),
          ...difference(`${path}/inputSchema`, text(before.inputSchema), text(after.inputSchema)),
          ...difference(
            `${path}/outputSchema`,
            text(before.outputSchema),
            text(after.outputSchema),
          ),
        ];
  // A first measurement is news about the tool, not a change of it.
  const measured = before.access === 'unknown' || after.access === 'unknown';
  return [
    ...described,
    ...(measured ? [] : difference(`${path}/access`, before.access, after.access)),
    ...(before.price === undefined && measured
      ? []
      : difference(`${path}/price`, shownPrice(before.price), shownPrice(after.price))),
    ...(before.price === undefined || after.price === undefined
      ? []
      : difference(`${path}/payTo`, before.price.payTo, after.price.payTo)),
  ];
}

function shownPrice(price: Price | undefined): string | undefined {
  return price && `${price.amount} ${price.asset} ${price.network ?? ''}`.trim();
}

function difference(
  path: string,
  before: string | undefined,
  after: string | undefined,
): readonly Change[] {
  if (before === after) return [];
  return [
    {
      path: cut(path, SHOWN_MAX),
      change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
      ...(before !== undefined && { before: cut(before, SHOWN_MAX) }),
      ...(after !== undefined && { after: cut(after, SHOWN_MAX) }),
    },
  ];
}
