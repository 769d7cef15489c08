import { cursorOf as cursorAt, placeIn } from '../../domain/cursor.ts';
import { serverPage, type ServerFilter, type ServerPlace } from '../../db/registry/serverTexts.ts';
import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import { measuredKey } from '../../domain/registry/serverJson.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { frameOf, listReply } from './present/server.ts';
import type { components } from '../../generated/types.ts';

/** A page of the MCP registry: one indexed read, whose text goes out as it is. */
export const servers: Handler<'registry.servers'> = async ({ query }, hub) => {
  const { limit } = query;
  const frame = frameOf(hub.settings);
  const filter = { ...filterOf(query), limit: limit + 1 };
  const found = await hub.store.readOne((db) => serverPage(db, frame, filter));
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const byChange = filter.updatedSince !== undefined;
  return listReply(shown, last && cursorOf(last, measuredKey(hub.settings.baseUrl), byChange));
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
function cursorOf(text: string, key: string, byChange: boolean): string {
  const { server, _meta } = JSON.parse(text) as components['schemas']['McpServerRecord'];
  const place: (string | number)[] = [server.name, server.version];
  if (byChange) place.push(Date.parse(_meta[key]?.updatedAt ?? ''));
  return cursorAt(place);
}

function placeOf(cursor: string, updatedSince: number | undefined): ServerPlace {
  const [name, version, updatedAt] = placeIn(cursor);
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
