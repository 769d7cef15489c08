import { existsSync, readFileSync } from 'node:fs';
import { eachOperation, type Document, type Media } from './document.ts';

/** Adds the examples of `npm run examples`. A file has statuses, then media types, then values. */
export function addExamples(document: Document): void {
  for (const { operation } of eachOperation(document)) {
    const file = `spec/examples/${operation.operationId.replace('.', '/')}.json`;
    if (!existsSync(file)) continue;
    const shown = JSON.parse(readFileSync(file, 'utf8')) as Shown;
    for (const [status, types] of Object.entries(shown)) {
      const response = operation.responses[status];
      const content = response !== undefined && 'content' in response ? response.content : {};
      for (const [type, example] of Object.entries(types)) {
        const media: Media | undefined = content?.[type];
        if (media !== undefined && isText(example)) Object.assign(media, { example });
      }
    }
  }
}

type Shown = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Bytes are no text: readers of YAML refuse a document that holds their control characters. */
function isText(example: unknown): boolean {
  return typeof example !== 'string' || !/[^\P{Cc}\t\r\n]/u.test(example);
}
