import { operationTable } from '../../generated/operations.ts';

/**
 * One line per operation: method, path, who signs, and the words `once` (takes an idempotencyKey),
 * `keyed` (takes the key in a header) and `stream`. The build of the package puts these lines in
 * place of this file.
 */
export const callLines: readonly string[] = Object.values(operationTable).map((operation) => {
  const { method, path, auth } = operation;
  const keyed = operation.once === undefined ? '' : ' keyed';
  const once = operation.idempotent === true ? ' once' : keyed;
  const stream = operation.stream === undefined ? '' : ' stream';
  return `${method} ${path} ${auth}${once}${stream}`;
});
