import { serverVersions as versionsOf } from '../../db/registry/servers.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { listText, noSuchServer, textReply } from './present/server.ts';

/** The versions of one server. */
export const serverVersions: Handler<'registry.serverVersions'> = async ({ path, query }, hub) => {
  const { serverName } = path;
  const all = await hub.store.read((db) => versionsOf(db, serverName));
  const shown = all.filter(({ isListed }) => isListed || query.include_deleted);
  if (shown.length === 0) return noSuchServer(serverName, 'path.serverName');
  return textReply<components['schemas']['McpServerList']>(listText(shown, hub.settings.baseUrl));
};
