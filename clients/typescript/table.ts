import { operationTable } from '../../generated/operations.ts';

/**
 * What a client needs of the contract, one line an operation: method, path, who signs, and the
 * words `once` (takes an idempotencyKey) and `stream`. The package carries these lines alone; its
 * build puts them in place of this file, so that no schema or refusal list is shipped twice.
 */
export const callLines: readonly string[] = Object.values(operationTable).map((operation) => {
  const { method, path, auth } = operation;
  const once = operation.idempotent === true ? ' once' : '';
  const stream = operation.stream === undefined ? '' : ' stream';
  return `${method} ${path} ${auth}${once}${stream}`;
});
