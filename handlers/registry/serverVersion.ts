import { readServer } from '../../db/registry/servers.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { noSuchServer, serverText, textReply } from './present/server.ts';

/** One version of a server by the key of the table. */
export const serverVersion: Handler<'registry.serverVersion'> = async ({ path, query }, hub) => {
  const { serverName, version } = path;
  const found = await hub.store.read((db) => readServer(db, serverName, version));
  if (found === undefined || !(found.isListed || query.include_deleted)) {
    return noSuchServer(serverName, 'path.serverName');
  }
  return textReply<components['schemas']['McpServerRecord']>(
    serverText(found, hub.settings.baseUrl),
  );
};
