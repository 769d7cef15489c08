import {
  ALL_CONTENTS_BYTES_MAX,
  contentsAsked,
  FILE_CONTENTS_BYTES_MAX,
  type JudgedFile,
} from '../../domain/acceptance/files.ts';
import { usesFiles, type AcceptanceRule } from '../../domain/acceptance/rule.ts';
import { defined } from '../../domain/defined.ts';
import { fileName } from '../../domain/tasks/files.ts';
import type { Hub } from '../kernel/hub.ts';
import type { FoundFile } from './files.ts';

/** The files of a result as its rule judges them, with the contents that it asks for. */
export async function judgedFiles(
  hub: Hub,
  rule: AcceptanceRule,
  found: readonly FoundFile[],
): Promise<readonly JudgedFile[]> {
  if (!usesFiles(rule)) return [];
  const named = found.map(({ file }) => ({ ...file, name: fileName(file) }));
  const asked = contentsAsked(rule, named);
  let left = ALL_CONTENTS_BYTES_MAX;
  const judged: JudgedFile[] = [];
  for (const [nth, { name, bytes, mediaType }] of named.entries()) {
    const object = found[nth]?.object;
    const isRead = asked.has(nth) && bytes <= Math.min(left, FILE_CONTENTS_BYTES_MAX);
    if (isRead) left -= bytes;
    const text = isRead && object !== undefined ? await textOf(hub, object) : undefined;
    judged.push({ name, bytes, ...defined({ mediaType, text }) });
  }
  return judged;
}

/** Undefined where the bytes are no UTF-8. */
async function textOf(hub: Hub, object: string): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of await hub.files.open(object)) chunks.push(chunk as Buffer);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}
