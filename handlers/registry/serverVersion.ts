import { readServers } from '../../db/registry/serverTexts.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { textReply } from '../textReply.ts';
import { frameOf, noSuchServer } from './present/server.ts';

export const serverVersion: Handler<'registry.serverVersion'> = async ({ path, query }, hub) => {
  const { serverName: name, version } = path;
  const named = { name, version, includeDeleted: query.include_deleted };
  const [text] = await hub.store.readOne((db) => readServers(db, frameOf(hub.settings), named));
  if (text === undefined) return noSuchServer(name, 'path.serverName');
  return textReply<Schemas['McpServerRecord']>(text);
};
