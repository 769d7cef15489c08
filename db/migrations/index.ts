import type { Migration } from '../migrate.ts';
import { ledger } from './0001_ledger.ts';
import { identity } from './0002_identity.ts';
import { tasks } from './0003_tasks.ts';

/** In order; new ones are added at the end. */
export const migrations: readonly Migration[] = [ledger, identity, tasks];
