import { exportTable, type ExportSpec } from '../../generated/exports.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import type { Exchange } from '../middleware/exchange.ts';
import type { AnyReply } from '../http/wire.ts';
import { csvOf, type Row } from './rows.ts';

/** Lists of an account as files (`x-export`) by `Accept`; `Link` names the next page (RFC 8288). */
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';

/** The reply as the file that was asked for; JSON when both are as welcome. */
export function exported(spec: OperationSpec, reply: AnyReply, exchange: Exchange): AnyReply {
  const table: ExportSpec | undefined = exportTable[spec.id];
  if (table === undefined || reply.type !== undefined || reply.status !== 200) return reply;
  const type = exchange.preferred([CSV, NDJSON]);
  if (type === undefined) return reply;
  const body = reply.body as Readonly<Record<string, unknown>>;
  const rows = body[table.list] as readonly Row[] | undefined;
  // The list is there only where the query asks for it.
  if (rows === undefined) return reply;
  const name = `${spec.id}.${type === CSV ? 'csv' : 'ndjson'}`;
  return {
    status: reply.status,
    type,
    headers: {
      ...reply.headers,
      ...nextLink(exchange, body),
      vary: 'accept',
      'content-disposition': `attachment; filename="${name}"`,
    },
    body: type === CSV ? csvOf(table.columns, rows) : rows,
  };
}

function nextLink(
  { rawPath, rawQuery }: Exchange,
  { nextCursor }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  if (nextCursor === undefined) return {};
  const query = new URLSearchParams(rawQuery);
  query.delete('after');
  query.set('cursor', String(nextCursor));
  return { link: `<${rawPath}?${query.toString()}>; rel="next"` };
}
