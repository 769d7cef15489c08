import type { WireInput } from '../http/wire.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import { smallerBody } from '../middleware/bodyRefusals.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { doorLimit } from './files.ts';

/** Named values, as an agent protocol carries them: one flat object for path, query and body. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Lays an argument object out as path, query and body: a path or query name goes there, any other
 * is a body field, or, without a body, a query name that validation refuses. The generator refuses
 * a contract with one name in two places. Clients and models write an unset argument as null, so
 * such an entry is left out.
 * @param header Lower-case header values; operations read only those that they declare.
 * @throws HubError `body-too-large`: no door lets in what HTTP would not have read.
 */
export function wireInput(
  spec: OperationSpec,
  given: Arguments,
  header: Readonly<Record<string, unknown>>,
): WireInput {
  const path: [string, unknown][] = [];
  const query: [string, unknown][] = [];
  const body: [string, unknown][] = [];
  for (const entry of Object.entries(given)) {
    if (entry[1] === null && spec.body?.nullable?.includes(entry[0]) !== true) continue;
    const place = spec.parameters.find(({ name, in: where }) => name === entry[0] && isText(where));
    if (place?.in === 'path') path.push(entry);
    else if (place !== undefined || spec.body === undefined) query.push(entry);
    else body.push(entry);
  }
  return {
    path: Object.fromEntries(path),
    query: Object.fromEntries(query),
    header,
    body: bodyOf(spec, body),
  };
}

function isText(where: 'path' | 'query' | 'header'): boolean {
  return where !== 'header';
}

/** An optional body without a field is no body, as HTTP clients leave it out too. */
function bodyOf(spec: OperationSpec, fields: readonly (readonly [string, unknown])[]): unknown {
  if (spec.body === undefined || (fields.length === 0 && !spec.body.required)) return undefined;
  const body = Object.fromEntries(fields);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  const limit = doorLimit(spec);
  if (bytes > limit) {
    const error = `The arguments of the body are ${bytes} bytes; ${spec.id} takes ${limit} here.`;
    const hint = smallerBody(spec.path, limit);
    refuse('body-too-large', { error, field: 'body', hint });
  }
  return body;
}
