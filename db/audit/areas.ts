import { auditing } from '../described.ts';
import type { Reader } from '../connection.ts';
import { prepared, type AreaChecks, type Prepared } from './check.ts';

type CheckKind = Exclude<keyof AreaChecks, 'table'>;

interface PreparedArea extends Readonly<Record<CheckKind, readonly Prepared[]>> {
  readonly table: string;
}
const PREPARED: readonly PreparedArea[] = auditing.map(
  ({ table, current = [], journal = [], newEntries = [] }) => ({
    table,
    current: prepared(current),
    journal: prepared(journal),
    newEntries: prepared(newEntries),
  }),
);

export type RegisteredChecks = Readonly<Record<CheckKind, readonly Prepared[]>>;

export async function registeredChecks(db: Reader): Promise<RegisteredChecks> {
  const present: PreparedArea[] = [];
  for (const area of PREPARED) {
    if (await db.knex.schema.hasTable(area.table)) present.push(area);
  }
  return {
    current: present.flatMap(({ current }) => current),
    journal: present.flatMap(({ journal }) => journal),
    newEntries: present.flatMap(({ newEntries }) => newEntries),
  };
}
