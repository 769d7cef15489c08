import { isObject, listOf, type JsonObject } from '../jsonObject.ts';

/**
 * Selects what goes out of an untrusted answer under the hub's origin (threats.hosted-answers): the
 * members that the protocol gives a tool's result and its content. Metadata is left out: clients
 * read receipts, quotes and pages from it, and only the hub may set those here.
 */
const PIECES: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name', 'title', 'description', 'mimeType', 'size'],
  resource: ['resource'],
};
const RESOURCE = ['uri', 'mimeType', 'text', 'blob'];
const PIECES_MAX = 1_000;
/** Schemes that a client would act on, or show as a page of the hub's. */
const ACTING = /^\s*(javascript|vbscript|data|ui|file|blob):/i;

export function strippedResult(result: unknown): JsonObject {
  const given = isObject(result) ? result : {};
  const content = listOf(given['content']).slice(0, PIECES_MAX).flatMap(strippedPiece);
  const { structuredContent: structured, isError } = given;
  return {
    content,
    ...(isObject(structured) && { structuredContent: structured }),
    ...(isError === true && { isError }),
  };
}

function strippedPiece(piece: unknown): readonly JsonObject[] {
  const type = isObject(piece) ? piece['type'] : undefined;
  if (!isObject(piece) || typeof type !== 'string') return [];
  const members = Object.hasOwn(PIECES, type) ? PIECES[type] : undefined;
  if (members === undefined) return [];
  const kept = pick(piece, members);
  if (isActing(kept['uri'])) return [];
  if (type !== 'resource') return [{ type, ...kept }];
  const resource = isObject(piece['resource']) ? pick(piece['resource'], RESOURCE) : {};
  return isActing(resource['uri']) ? [] : [{ type, resource }];
}

function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

function isActing(uri: unknown): boolean {
  return typeof uri === 'string' && ACTING.test(uri);
}
