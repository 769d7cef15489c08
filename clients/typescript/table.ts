import { operationTable } from '../../generated/operations.ts';

/**
 * The contract for clients, a line per operation: method, path, who signs, `once` (takes an
 * idempotencyKey) and `stream`. The build puts the lines in place of this file, so that no schema
 * or refusal list is shipped twice.
 */
export const callLines: readonly string[] = Object.values(operationTable).map((operation) => {
  const { method, path, auth } = operation;
  const once = operation.idempotent === true ? ' once' : '';
  const stream = operation.stream === undefined ? '' : ' stream';
  return `${method} ${path} ${auth}${once}${stream}`;
});
