import type { ListingKind } from './listing.ts';
import type { ServerPackage } from './serverPackage.ts';
import { defined } from '../defined.ts';

/** An address that a feed proposes, with the name that the feed gives it. */
export interface FeedEntry {
  readonly url: string;
  readonly kind?: ListingKind;
  readonly name?: string;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  readonly skipped: number;
  /** Servers that are packages alone; they count as entries. */
  readonly packages?: readonly ServerPackage[];
  /** Names that the list says are deleted, or no package any more. */
  readonly gone?: readonly string[];
  /** The cursor of the next page; absent when the pass is complete. */
  readonly next?: string;
  /** Where the next pass begins, of a feed that says so at its end. */
  readonly resume?: string;
}

export interface FeedFault {
  readonly fault: string;
}

const URL_LENGTH_MAX = 2_048;

/** An entry, or none for what is no address: a template, another scheme, or too long. */
export function entryOf(
  url: unknown,
  kind: ListingKind | undefined,
  name: string | undefined,
): readonly FeedEntry[] {
  if (typeof url !== 'string' || url.length > URL_LENGTH_MAX) return [];
  const address = url.trim();
  if (!/^https?:\/\/[^\s{}<>"\\^`|]+$/i.test(address) || !URL.canParse(address)) return [];
  return [
    {
      url: address,
      ...defined({ kind, name }),
    },
  ];
}
