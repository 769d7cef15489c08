import { isObject } from '../../domain/jsonObject.ts';
import { mcpThrough, mcpTools } from '../../generated/doors.ts';
import type { OperationId } from '../../generated/operations.ts';

/** Undefined for no tool; required arguments choose among operations (choices doors.tools). */
export function operationOfTool(name: string, given: unknown): OperationId | undefined {
  if (!Object.hasOwn(mcpTools, name)) return undefined;
  const besides = Object.hasOwn(mcpThrough, name) ? mcpThrough[name] : undefined;
  const meant = besides?.find(({ by }) =>
    by.every((argument) => isObject(given) && Object.hasOwn(given, argument)),
  );
  return meant?.operation ?? mcpTools[name];
}
