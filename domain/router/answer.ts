import { measure } from '../acceptance/values.ts';
import type { ListingKind } from '../registry/listing.ts';
import { cleanLine } from '../registry/text.ts';
import { isObject, listOf } from '../jsonObject.ts';

/** Reads an untrusted agent's result (choices router.calls): failed, empty, or worth its price. */
const DEPTH_MAX = 64;
const REASON_MAX = 200;

/** Readers stop at 64 levels, the hub's own among them. */
export function tooDeep(result: unknown): boolean {
  return measure(result, Infinity, DEPTH_MAX).depth > DEPTH_MAX;
}

/**
 * Whether there is nothing in it: no structure and no content, parts or artifacts, or blank ones. An
 * answer like `{"results": []}` says something.
 */
export function saysNothing(kind: ListingKind, result: unknown): boolean {
  if (!isObject(result)) return true;
  if (kind === 'mcp') {
    const isBlankAnswer =
      listOf(result['content']).every((each) => isBlank(each)) &&
      listOf(result['contents']).every((each) => isBlank(each, 'resource')) &&
      listOf(result['messages']).every((each) => isBlankMessage(each));
    return isBlankAnswer && isEmpty(result[STRUCTURE]);
  }
  const inner = [result['task'], result['message'], result].find(isObject) ?? {};
  const status = isObject(inner['status']) ? inner['status'] : undefined;
  if (status === undefined) return 'parts' in inner ? isPartless(inner) : isEmpty(inner);
  const isOver = /completed$/i.test(String(status['state']));
  return isOver && listOf(inner['artifacts']).every(isPartless) && isPartless(status['message']);
}

const STRUCTURE = 'structuredContent';
/** Members that describe content and are none. */
const LABELS = ['type', 'kind', 'annotations', 'metadata', '_meta', 'mimeType', 'mediaType'];
const LABELS_OF: Readonly<Record<string, readonly string[]>> = {
  part: [...LABELS, 'filename'],
  file: [...LABELS, 'name'],
  resource: [...LABELS, 'uri'],
};

/** The role of a message of a prompt says nothing. */
function isBlankMessage(value: unknown): boolean {
  return !isObject(value) || isBlank(value['content']);
}

/** Messages and artifacts have parts. */
function isPartless(value: unknown): boolean {
  return !isObject(value) || listOf(value['parts']).every((each) => isBlank(each));
}

/** A part of an A2A message, or an item of the content of an MCP result. */
function isBlank(value: unknown, what = 'part'): boolean {
  if (!isObject(value)) return isEmpty(value);
  return Object.entries(value).every(([name, each]) => {
    if (LABELS_OF[what]?.includes(name) === true) return true;
    const isHolder = what === 'part' && (name === 'file' || name === 'resource');
    return isHolder ? isBlank(each, name) : isEmpty(each);
  });
}

const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return !VISIBLE.test(value);
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null;
}

export function failureSays(result: unknown): string {
  const words = isObject(result) ? (mcpText(result) ?? a2aText(result)) : undefined;
  const reason = cleanLine(words, REASON_MAX);
  return reason === undefined ? 'It says that it failed.' : `It says that it failed: ${reason}`;
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
