import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { go } from '../navigation.ts';
import type { Look } from '../press.ts';
import { pathTo } from '../routes.ts';

const NEWEST = 50;

/** Opening a table takes no idempotency key, so a form looks for a table that it opened. */
export function lookForTable(hub: Hub, found: (id: string) => void = openTable): Look {
  const params = { query: { limit: NEWEST } };
  return {
    ids: async () =>
      unwrap(await hub.GET('/api/v1/games/poker/tables', { params }))
        .tables.filter(({ createdBy }) => createdBy === hub.account)
        .map(({ id }) => id),
    found,
  };
}

export const openTable = (id: string): void => go(pathTo(`tables/${id}`));
