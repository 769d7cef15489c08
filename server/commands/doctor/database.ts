import { existsSync } from 'node:fs';
import { shownUrl, sqlitePath } from '../../../db/databaseUrl.ts';
import { condition, type Condition } from '../../../db/operator/condition.ts';
import { lossOf } from '../../../db/replication.ts';
import { hubKeyRows, signingKey, type HubKeyRow } from '../../../db/time/hubKeys.ts';
import { OFF_MS, WRONG_MS } from '../../../domain/time/clockCheck.ts';
import { readSnapshot } from '../../../db/wallet/snapshot.ts';
import { keyFile, readKeyFile } from '../../../workflows/kernel/keys/keyFiles.ts';
import type { Settings } from '../../../workflows/kernel/settings.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

/** Versions whose tables this one refuses, and what then helps. */
const OTHERS = {
  newer: ['a newer hub', 'Start that version, or restore an older backup.'],
  unreleased: [
    'an unreleased version of the hub',
    'Set HUB_DATABASE_URL to a new, empty database.',
  ],
} as const;
const NO_TABLE = /no such table|relation "\w+" does not exist/;

/** Database, clock and signing key, because the database says which key signs. */
export async function databaseFindings(settings: Settings): Promise<readonly Finding[]> {
  const { databaseUrl, dataDir } = settings;
  const place = shownUrl(databaseUrl);
  const isNew = warn('database', `${place} has no tables yet`, 'hubctl start creates them.');
  const path = sqlitePath(databaseUrl);
  if (path !== undefined && !existsSync(path)) return [isNew];
  const began = Date.now();
  let found: Found;
  try {
    found = await readSnapshot(databaseUrl, async (db) => ({
      condition: await condition(db),
      loss: await lossOf(db),
      keys: await hubKeyRows(db),
    }));
  } catch (error) {
    if (error instanceof Error && NO_TABLE.test(error.message)) return [isNew];
    throw error;
  }
  const answered = `${found.condition.dialect} ${found.condition.version}, ${Date.now() - began} ms`;
  return [
    ...tables(found.condition, `${place}: ${answered}`),
    ...(found.loss === undefined ? [] : [warn('database', found.loss)]),
    clock(found.condition, Date.now()),
    await keys(found.keys, dataDir),
  ];
}

interface Found {
  readonly condition: Condition;
  readonly loss: string | undefined;
  readonly keys: readonly HubKeyRow[];
}

function tables({ origin, unknown, waiting }: Condition, text: string): readonly Finding[] {
  if (origin === 'later') {
    return [warn('database', `${text}; a later hub made the tables`, 'Upgrade this hub too.')];
  }
  if (origin !== 'this') {
    const [who, remedy] = OTHERS[origin];
    return [fail('database', `${who} made the tables (${unknown.join(', ')})`, remedy)];
  }
  if (waiting.length === 0) return [ok('database', text)];
  const more = `${text}; ${waiting.length} migrations wait`;
  return [warn('database', more, 'Back up; the next start applies them.')];
}

/** A clock that is behind the newest pulse would make the hub's chain of time run backwards. */
function clock({ databaseTime, newestPulse }: Condition, now: number): Finding {
  const skew = Math.max(Math.abs(now - databaseTime), (newestPulse ?? now) - now);
  const text = `${Math.round(skew)} ms beside the database`;
  const remedy = 'Run NTP (chrony or systemd-timesyncd) on both machines.';
  if (skew > WRONG_MS) return fail('clock', text, remedy);
  return skew > OFF_MS ? warn('clock', text, remedy) : ok('clock', text);
}

async function keys(rows: readonly HubKeyRow[], dataDir: string): Promise<Finding> {
  const signing = signingKey(rows);
  if (signing === undefined) return warn('keys', 'no key yet', 'hubctl start creates the first.');
  const file = keyFile(dataDir, signing);
  if ((await readKeyFile(dataDir, signing)) !== undefined) return ok('keys', file);
  const remedy = 'Copy it from a backup or from the process that made it (HUB_DATA_DIR).';
  return fail('keys', `${file} is missing, and the hub signs with it`, remedy);
}
