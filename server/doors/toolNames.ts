import { isObject } from '../../domain/jsonObject.ts';
import { mcpThrough, mcpTools } from '../../generated/doors.ts';
import type { OperationId } from '../../generated/operations.ts';
import { closest } from '../../domain/closest.ts';

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

/** The tool of a name that the MCP door takes: its own, or that of its operation. */
export function toolNamed(name: string): string {
  if (Object.hasOwn(mcpTools, name) || name.length > NAME_MAX) return name;
  return ALIASES.get(plain(name)) ?? name;
}

/** The tool whose name is most like one that no tool has; undefined if none is close. */
export function nearestTool(name: string): string | undefined {
  const meant = closest(plain(name.slice(0, NAME_MAX)), [...ALIASES.keys()]);
  return meant && ALIASES.get(meant);
}

/** No name is longer. */
const NAME_MAX = 64;

/** One grammar for every tool, area-verb: some names of the interface differ from it. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(mcpTools).map(([tool, operation]) => [plain(operation), tool] as const),
  ...Object.keys(mcpTools).map((tool) => [plain(tool), tool] as const),
]);

/** The id of an operation with dots, underscores or dashes is one name. */
function plain(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/[._-]+/g, '-');
}
