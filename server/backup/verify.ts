import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { linkOf, statement, type Reader } from '../../db/connection.ts';
import { hubKeyRows } from '../../db/time/hubKeys.ts';
import { mustHaveKeyFile } from '../../workflows/kernel/keys/keys.ts';
import { StartError } from '../../workflows/kernel/startError.ts';
import { FILES } from './folders.ts';

const OBJECTS = statement(
  'SELECT DISTINCT object FROM files WHERE object > ? ORDER BY object LIMIT ?',
);
const PAGE = 1_000;
/** Faults of one kind that are named. */
const NAMED_MAX = 5;

/** Names the things that a backup lacks beside right books: its signing key, and contents of files. */
export async function faultsOf(
  db: Reader,
  folder: string,
  hasFiles: boolean,
): Promise<readonly string[]> {
  const faults: string[] = [];
  try {
    await mustHaveKeyFile(await hubKeyRows(db), folder);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    faults.push(error.message);
  }
  const missing = hasFiles ? await missingContents(db, folder) : [];
  if (missing.length > 0) {
    const named = missing.slice(0, NAMED_MAX).join(', ');
    faults.push(`the contents of ${missing.length} files are missing: ${named}`);
  }
  return faults;
}

async function missingContents(db: Reader, folder: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let after = '', isLast = false; !isLast;) {
    const rows = await linkOf(db).rows(OBJECTS, [after, PAGE]);
    for (const row of rows) {
      after = String(row['object']);
      if (!existsSync(join(folder, FILES, after.slice(0, 2), after))) missing.push(after);
    }
    isLast = rows.length < PAGE;
  }
  return missing;
}
