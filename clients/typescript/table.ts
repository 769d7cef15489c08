import { operationTable } from '../../generated/operations.ts';

/**
 * The contract as a client needs it, one line per operation: method, path, who signs, and the words
 * `once` (takes an idempotencyKey) and `stream`. The package carries only these lines: its build
 * puts them in place of this file, so that no schema or refusal list is shipped twice.
 */
export const callLines: readonly string[] = Object.values(operationTable).map((operation) => {
  const { method, path, auth } = operation;
  const once = operation.idempotent === true ? ' once' : '';
  const stream = operation.stream === undefined ? '' : ' stream';
  return `${method} ${path} ${auth}${once}${stream}`;
});
