import { openBatcher } from '../../db/batcher.ts';
import { storedTexts, type StoredText } from '../../db/registry/texts.ts';
import type { Store } from '../../db/store.ts';
import type { Clock } from './clock.ts';

/**
 * The version of the functions that show a listing. Texts of another version are not read, and a
 * job makes them again. A test fails until a change of those functions raises it.
 */
export const LISTING_FORM = '5';

/** Listings as they are shown, stored when they change (choices registry.texts). */
export interface ListingTexts {
  /** Returns the record of a registry code; undefined where no valid text is stored. */
  record(id: string): Promise<StoredText | undefined>;
}

/** More keys than this make a second statement. */
const AT_ONCE = 64;

/** Requests that wait share one statement; each sees all that was committed before it came. */
export function openListingTexts(
  store: Pick<Store, 'readOne'>,
  clock: Pick<Clock, 'now'>,
): ListingTexts {
  return {
    record: openBatcher(AT_ONCE, async (ids) => {
      const now = clock.now();
      const asked = [...new Set(ids)];
      const valid = { form: LISTING_FORM, now };
      const found = await store.readOne((db) => storedTexts(db, 'record', asked, valid));
      return ids.map((id) => found.get(id));
    }),
  };
}
