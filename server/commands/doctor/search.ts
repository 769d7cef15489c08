import { existsSync } from 'node:fs';
import { sqlitePath } from '../../../db/databaseUrl.ts';
import { textCounts } from '../../../db/search/texts.ts';
import { readSnapshot } from '../../../db/wallet/snapshot.ts';
import { openFiles } from '../../../workflows/kernel/files/store.ts';
import { embeddingModel, offersOf } from '../../../workflows/kernel/search/embeddings.ts';
import { checkSearch } from '../../../workflows/kernel/search/check.ts';
import type { Settings } from '../../../workflows/kernel/settings.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const SHOWN_MAX = 3;
const REBUILD = 'Delete the row of search_snapshots and restart: the index is made again.';

/** Index and documents of a database, which hubs may use meanwhile; asked for by `--search`. */
export async function searchFindings(settings: Settings): Promise<readonly Finding[]> {
  const path = sqlitePath(settings.databaseUrl);
  if (path !== undefined && !existsSync(path)) return [warn('search', 'no database yet')];
  const files = await openFiles(settings);
  try {
    const found = await readSnapshot(settings.databaseUrl, (db) => checkSearch(db, files));
    const faults = [
      ['the index lacks', found.missing],
      ['the database lacks', found.surplus],
      ['not found by its rarest word:', found.notFound],
    ] as const;
    const { documents, queued, searched, snapshot } = found;
    const text = `${documents} documents, ${searched} searched, ${queued} queued, snapshot ${snapshot}`;
    return [
      snapshot === 'unreadable'
        ? warn('search', text, 'The next start makes the index and a snapshot again.')
        : ok('search', text),
      ...faults
        .filter(([, names]) => names.length > 0)
        .map(([what, names]) => fail('search', `${what} ${shown(names)}`, REBUILD)),
      ...(await vectorFindings(settings)),
    ];
  } finally {
    await files.close();
  }
}

/** Listings that wait for their vectors; those of a hub that was just set up are few hours behind. */
async function vectorFindings(settings: Settings): Promise<readonly Finding[]> {
  const { searchEmbeddings: id, models, databaseUrl } = settings;
  const model = id === undefined ? undefined : embeddingModel(offersOf(models), id);
  if (model === undefined) return [];
  const { texts, waiting } = await readSnapshot(databaseUrl, (db) => textCounts(db, model.name));
  return [ok('search', `vectors of ${id}: ${texts} texts, ${waiting} wait for theirs`)];
}

function shown(names: readonly string[]): string {
  const first = names.slice(0, SHOWN_MAX).join(', ');
  return names.length > SHOWN_MAX ? `${first} and ${names.length - SHOWN_MAX} more` : first;
}
