import { readFileSync } from 'node:fs';

/**
 * The tools as `tools/list` answers them. The file follows from the contract at build time; it is
 * read when somebody first asks, and kept as the JSON text of its pages.
 */
export interface Catalogue {
  /** JSON text of a page's tools and the cursor behind it; undefined for a cursor never given. */
  page(cursor: string | undefined): Page | undefined;
}

export interface Page {
  readonly tools: string;
  readonly nextCursor?: string;
}

/** Tools a page; a page is some 70 KB with its schemas. */
const PAGE_TOOLS = 25;
const FILE = new URL('../../../generated/mcpTools.json', import.meta.url);

export function openCatalogue(): Catalogue {
  let pages: ReadonlyMap<string, Page> | undefined;
  return {
    page(cursor = '') {
      pages ??= readPages(readFileSync(FILE, 'utf8'));
      return pages.get(cursor);
    },
  };
}

/** The generator writes one tool a line, so nothing of it need be parsed here. */
function readPages(text: string): ReadonlyMap<string, Page> {
  const lines = text.split('\n').slice(1, -2);
  const tools = lines.map((line) => (line.endsWith(',') ? line.slice(0, -1) : line));
  const starts = tools.map((_, index) => index).filter((index) => index % PAGE_TOOLS === 0);
  return new Map(
    starts.map((start): [string, Page] => {
      const next = start + PAGE_TOOLS;
      const page = { tools: `[${tools.slice(start, next).join(',')}]` };
      return [
        cursorAt(start),
        next < tools.length ? { ...page, nextCursor: cursorAt(next) } : page,
      ];
    }),
  );
}

/** Opaque to clients, and the same in every process: a page may be asked for anywhere. */
function cursorAt(start: number): string {
  return start === 0 ? '' : Buffer.from(`tool ${start}`).toString('base64url');
}
