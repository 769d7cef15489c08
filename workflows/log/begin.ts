import { beginLog } from '../../db/log/log.ts';
import type { Hub } from '../kernel/hub.ts';

/** Where the log is served, below the base address of the hub. */
const LOG_PATH = '/api/v1/log';

/** Names the log of a new database by its address, as C2SP asks; a log keeps its first name. */
export async function beginTransparency(hub: Hub): Promise<void> {
  const origin = hub.settings.baseUrl.replace(/^https?:\/\//, '') + LOG_PATH;
  await hub.store.write((tx) => beginLog(tx, origin));
}
