import type { Migration } from '../migrate.ts';
import { ledger } from './0001_ledger.ts';
import { identity } from './0002_identity.ts';
import { tasks } from './0003_tasks.ts';
import { time } from './0004_time.ts';
import { standing } from './0005_standing.ts';
import { pitches } from './0006_pitches.ts';

/** In order; new ones are added at the end. */
export const migrations: readonly Migration[] = [ledger, identity, tasks, time, standing, pitches];
