import { operationTable, type OperationId } from '../generated/operations.ts';
import type { OperationSpec } from '../workflows/kernel/operation.ts';
import { refuse } from '../workflows/kernel/errors.ts';
import type { Handlers } from '../workflows/kernel/handler.ts';
import type { Hub } from '../workflows/kernel/hub.ts';

interface Listed {
  readonly query: { readonly cursor?: string; readonly after?: string };
}
type Lister = (call: Listed, hub: Hub) => Promise<unknown>;

/** Reads the old name of a cursor as the cursor, for every list (choices pipeline.paging). */
export function withOldCursors(handlers: Handlers): Handlers {
  const read = Object.entries(handlers).map(([id, handler]) => {
    const { parameters }: OperationSpec = operationTable[id as OperationId];
    const isList = ['cursor', 'after'].every((each) =>
      parameters.some(({ name }) => name === each),
    );
    return [id, isList ? renaming(handler as unknown as Lister) : handler];
  });
  return Object.fromEntries(read) as unknown as Handlers;
}

function renaming(list: Lister): Lister {
  return (call, hub) => list({ ...call, query: renamed(call.query) }, hub);
}

function renamed({ after, ...query }: Listed['query']): Listed['query'] {
  if (after === undefined) return query;
  const { cursor = after } = query;
  if (cursor === after) return { ...query, cursor };
  return refuse('bad-request', {
    error: 'query.after is the old name of query.cursor, and the two differ.',
    hint: 'Send `cursor` alone, with the `nextCursor` of the page before.',
    field: 'query.after',
  });
}
