import { measure } from '../acceptance/values.ts';
import type { ListingKind } from '../registry/listing.ts';
import { cleanLine } from '../registry/text.ts';
import { isObject, listOf } from '../jsonObject.ts';

/** Reads an untrusted agent's result (choices router.calls): failed, empty, or worth its price. */
const DEPTH_MAX = 64;
const SAID_MAX = 200;

/** Readers stop at 64 levels, the hub's own among them. */
export function tooDeep(result: unknown): boolean {
  return measure(result, Infinity, DEPTH_MAX).depth > DEPTH_MAX;
}

/** Whether there is nothing in it: no content and no structure, no parts, no artifacts. */
export function saysNothing(kind: ListingKind, result: unknown): boolean {
  if (!isObject(result)) return true;
  if (kind === 'mcp') {
    return listOf(result['content']).length === 0 && result['structuredContent'] === undefined;
  }
  const inner = [result['task'], result['message'], result].find(isObject) ?? {};
  const status = isObject(inner['status']) ? inner['status'] : undefined;
  if (status === undefined) {
    return 'parts' in inner ? listOf(inner['parts']).length === 0 : Object.keys(inner).length === 0;
  }
  const isOver = /completed$/i.test(String(status['state']));
  return isOver && listOf(inner['artifacts']).length === 0 && status['message'] === undefined;
}

export function failureSays(result: unknown): string {
  const words = isObject(result) ? (mcpText(result) ?? a2aText(result)) : undefined;
  const said = cleanLine(words, SAID_MAX);
  return said === undefined ? 'It says that it failed.' : `It says that it failed: ${said}`;
}

function mcpText(result: Readonly<Record<string, unknown>>): unknown {
  const first = listOf(result['content']).find(isObject);
  return first?.['text'];
}

function a2aText(result: Readonly<Record<string, unknown>>): unknown {
  const task = isObject(result['task']) ? result['task'] : result;
  const status = isObject(task['status']) ? task['status'] : undefined;
  const message = isObject(status?.['message']) ? status['message'] : undefined;
  return listOf(message?.['parts']).find(isObject)?.['text'];
}
