import { isObject } from '../../domain/jsonObject.ts';
import { mcpThrough, mcpTools } from '../../generated/doors.ts';
import type { OperationId } from '../../generated/operations.ts';

/**
 * The operation that a call of a tool means; undefined when no tool has the name. A tool may do more
 * than one thing (choices doors.tools): the arguments that only one of them requires say which.
 */
export function operationOfTool(name: string, given: unknown): OperationId | undefined {
  if (!Object.hasOwn(mcpTools, name)) return undefined;
  const besides = Object.hasOwn(mcpThrough, name) ? mcpThrough[name] : undefined;
  const meant = besides?.find(({ by }) =>
    by.every((argument) => isObject(given) && Object.hasOwn(given, argument)),
  );
  return meant?.operation ?? mcpTools[name];
}
