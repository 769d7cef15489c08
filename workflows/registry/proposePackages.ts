import {
  dropPackages,
  knownPackages,
  originalsOf,
  savePackages,
  type Original,
  type PackageRow,
} from '../../db/registry/packages.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { Instant } from '../../domain/instant.ts';
import type { FeedPage } from '../../domain/registry/feedEntry.ts';
import { PACKAGES_OF_PUBLISHER, type ServerPackage } from '../../domain/registry/serverPackage.ts';

export interface ProposedPackages {
  readonly listed: number;
  readonly refused: number;
  readonly fresh: number;
  /** Packages were left over because the day's cap is reached. */
  readonly isFull: boolean;
  readonly refusal?: string;
}

/** Rows that are written in one turn of the event loop. */
const PACKAGES_AT_ONCE = 250;

/** Lists what a page says of packages (choices registry.packages). */
export async function proposePackages(
  tx: Writer,
  { packages = [], gone }: Pick<FeedPage, 'packages' | 'gone'>,
  { feed, room, now }: { readonly feed: string; readonly room: number; readonly now: Instant },
): Promise<ProposedPackages> {
  const sum = { listed: 0, refused: 0, fresh: 0, isFull: false };
  if (gone !== undefined) await dropPackages(tx, feed, gone, now);
  for (let from = 0; from < packages.length; from += PACKAGES_AT_ONCE) {
    const some = packages.slice(from, from + PACKAGES_AT_ONCE);
    const done = await proposeSome(tx, some, { feed, room: room - sum.fresh, now });
    sum.listed += done.listed;
    sum.refused += done.refused;
    sum.fresh += done.fresh;
    sum.isFull ||= done.isFull;
  }
  if (sum.refused === 0) return sum;
  const refusal = `It has packages of another feed, or more than ${PACKAGES_OF_PUBLISHER} of one publisher.`;
  return { ...sum, refusal };
}

async function proposeSome(
  tx: Writer,
  some: readonly ServerPackage[],
  { feed, room, now }: { readonly feed: string; readonly room: number; readonly now: Instant },
) {
  const { known, counts } = await knownPackages(tx, some);
  const left = new Map(counts);
  const sum = { listed: 0, refused: 0, fresh: 0, isFull: false };
  const changed: { readonly row: PackageRow; readonly server: string }[] = [];
  const imitated = await openImitated(tx, some);
  for (const each of some) {
    const before = known.get(each.id);
    const count = left.get(each.publisher) ?? 0;
    const isOver = before === undefined && count >= PACKAGES_OF_PUBLISHER;
    if (isOver || (before !== undefined && before.feed !== feed)) {
      sum.refused += 1;
      continue;
    }
    if (before === undefined && sum.fresh >= room) {
      sum.isFull = true;
      continue;
    }
    if (before === undefined) {
      sum.fresh += 1;
      left.set(each.publisher, count + 1);
    }
    sum.listed += 1;
    const digest = sha256Hex(each.server);
    if (before?.digest === digest) continue;
    const { server, ...own } = each;
    const standsUnder = before === undefined ? imitated.by(each) : before.standsUnder;
    const under = defined({ standsUnder });
    const row = { ...own, ...under, feed, digest, firstAt: before?.firstAt ?? now };
    changed.push({ row, server });
  }
  await savePackages(tx, changed, now);
  return sum;
}

/** Which earlier package or listing of another publisher a new package imitates. */
async function openImitated(tx: Writer, some: readonly ServerPackage[]) {
  const originals = [
    ...(await originalsOf(tx, {
      names: [...new Set(some.map((each) => each.nameKey))],
      texts: [...new Set(some.flatMap(({ textKey }) => textKey ?? []))],
      identifiers: [...new Set(some.map(({ identifier }) => identifier))],
    })),
  ];
  const first = new Map<string, Original>();
  const note = (each: Original): void => {
    for (const key of keysOf(each)) if (!first.has(key)) first.set(key, each);
  };
  originals.forEach(note);
  return {
    by(own: Original): string | undefined {
      const found = keysOf(own).flatMap((key) => first.get(key) ?? []);
      const other = found.find(({ publisher }) => publisher !== own.publisher);
      if (other === undefined) note(own);
      return other?.id;
    },
  };
}

function keysOf({ nameKey: name, textKey, identifier }: Original): readonly string[] {
  return [
    `name ${name}`,
    ...(textKey === undefined ? [] : [`text ${textKey}`]),
    ...(identifier === '' ? [] : [`package ${identifier}`]),
  ];
}
