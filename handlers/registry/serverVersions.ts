import { readServers } from '../../db/registry/serverTexts.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { frameOf, listReply, noSuchServer } from './present/server.ts';

export const serverVersions: Handler<'registry.serverVersions'> = async ({ path, query }, hub) => {
  const named = { name: path.serverName, includeDeleted: query.include_deleted };
  const shown = await hub.store.readOne((db) => readServers(db, frameOf(hub.settings), named));
  if (shown.length === 0) return noSuchServer(named.name, 'path.serverName');
  return listReply(shown);
};
