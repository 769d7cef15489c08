import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { shownUrl, sqlitePath } from '../../db/databaseUrl.ts';
import { beforeStart } from '../../db/operator/beforeStart.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { mustHaveKeyFile } from '../../workflows/kernel/keys/keys.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { StartError } from '../../workflows/kernel/startError.ts';
import { openPorts, placesOf } from '../workers/ports.ts';

/**
 * Looks at what would refuse the start later, before a folder, a table or a key is made: ports,
 * certificate, the tables of another program, a node that only reads, and the file of the key.
 * @throws StartError, and errors that `startRefusal` puts into words.
 */
export async function mustBeAbleToStart(settings: Settings): Promise<void> {
  const { tls, databaseUrl, dataDir } = settings;
  if (tls !== undefined) {
    createSecureContext({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) });
  }
  (await openPorts(placesOf(settings))).close();
  const path = sqlitePath(databaseUrl);
  if (path !== undefined) {
    // A folder and a device are refused where the files are made.
    if (!existsSync(path) || !statSync(path).isFile()) return;
    closeSync(openSync(path, 'r+'));
  }
  const { foreign, keys } = await readSnapshot(databaseUrl, beforeStart);
  if (foreign !== undefined) {
    const where = `${shownUrl(databaseUrl)} has ${foreign}, of another program`;
    throw new StartError(`${where}; set HUB_DATABASE_URL to a new, empty database`);
  }
  await mustHaveKeyFile(keys, dataDir);
}
