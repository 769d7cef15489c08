import {
  serverPage,
  type ServerFilter,
  type ServerPlace,
  type StoredServer,
} from '../../db/registry/servers.ts';
import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';
import type { Call } from '../../server/hub/call.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { listText, textReply } from './present/server.ts';

type ServerList = components['schemas']['McpServerList'];

/** A page of the MCP registry: one indexed read, and the stored texts one after the other. */
export const servers: Handler<'registry.servers'> = async ({ query }, hub) => {
  const { limit } = query;
  const filter = filterOf(query);
  const found = await hub.store.read((db) => serverPage(db, { ...filter, limit: limit + 1 }));
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const byChange = filter.updatedSince !== undefined;
  const nextCursor = last === undefined ? undefined : cursorOf(last, byChange);
  return textReply<ServerList>(listText(shown, hub.settings.baseUrl, nextCursor));
};

function filterOf(query: Call<'registry.servers'>['query']): Omit<ServerFilter, 'limit'> {
  const { cursor, search, version, live, access } = query;
  const { updated_since: updatedSince, include_deleted: includeDeleted } = query;
  return {
    includeDeleted,
    live,
    ...defined({ updatedSince, version, access }),
    ...(search !== undefined && search.trim() !== '' && { search: search.trim() }),
    ...(cursor !== undefined && cursor !== '' && { after: placeOf(cursor, updatedSince) }),
  };
}

/** Opaque to clients: letters that need no escaping, since some clients do not escape them. */
function cursorOf({ name, version, updatedAt }: StoredServer, byChange: boolean): string {
  const place = byChange ? [name, version, updatedAt] : [name, version];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function placeOf(cursor: string, updatedSince: number | undefined): ServerPlace {
  const place = parsed(cursor);
  const [name, version, updatedAt] = Array.isArray(place) ? (place as unknown[]) : [];
  const isPlace = typeof name === 'string' && typeof version === 'string';
  if (isPlace && updatedSince === undefined && updatedAt === undefined) return { name, version };
  if (isPlace && updatedSince !== undefined && Number.isSafeInteger(updatedAt)) {
    return { name, version, updatedAt: instant(updatedAt as number) };
  }
  return refuse('bad-request', {
    error: 'The cursor is not one that this list gave with these filters.',
    hint: 'Send the nextCursor of the page before with the same filters, or start without a cursor.',
    field: 'query.cursor',
  });
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
