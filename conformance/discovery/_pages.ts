import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The code that the project's pages show, for every test that runs it. */
export interface Block {
  readonly page: string;
  /** `sh`, `ts` …; empty where the page names none. */
  readonly language: string;
  readonly text: string;
  /** Marked as run by what packs the page's client. */
  readonly isMarked: boolean;
  /** How the table of `pasted.test.ts` calls it: its page and its first line. */
  readonly name: string;
}

const DRAWINGS = ['mermaid'];

export const blocks: readonly Block[] = execFileSync('git', ['ls-files', '-co', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((page) => page !== '' && !page.includes('node_modules/'))
  .flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/(^<!-- runs -->\n\n)?^```(\w*)\n([^]*?)^```/gm)].map(
      ([, mark, language = '', text = '']) => ({
        page,
        language,
        text,
        isMarked: mark !== undefined,
        name: `${page}: ${text.slice(0, text.indexOf('\n'))}`,
      }),
    ),
  )
  .filter(({ language }) => !DRAWINGS.includes(language));

/** The one block of a page whose name begins so. */
export function blockOf(name: string): Block {
  const [found, ...more] = blocks.filter((block) => block.name.startsWith(name));
  if (found === undefined || more.length > 0) throw new Error(`not one block is ${name}`);
  return found;
}
