import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rejectedWords } from './prose.ts';
import { tracked } from './tree.ts';

/**
 * Limits and rejected words of the pages, so that a reader needs to read each sentence only once.
 * They apply to prose: blocks of code and spans in backticks are ignored.
 */
const pages = tracked.filter((path) =>
  /^(README|SECURITY|SUPPORT|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT)\.md$|^docs\/.+\.md$/.test(
    path,
  ),
);
const CELL_LENGTH_MAX = 160;
const PARAGRAPH_LENGTH_MAX = 600;
const SENTENCES_MAX = 5;
const CHANGELOG_LINES_MAX = 120;

/** The columns of a table of figures; it has one number in a cell. */
const FIGURES = ['what', 'measured', 'target', 'met'];
const NUMBER = /\d[\d,.]*/g;

interface Part {
  readonly kind: 'row' | 'figures' | 'paragraph';
  readonly line: number;
  text: string;
}

describe('the pages', () => {
  it('have cells and paragraphs within the limits, and no rejected word', () => {
    assert.ok(pages.length > 15);
    assert.deepEqual(
      pages.flatMap((path) => faultsOf(path, readFileSync(path, 'utf8'))),
      [],
    );
  });

  it('are reported with file, line and rule where they break one', () => {
    const long = 'a '.repeat(PARAGRAPH_LENGTH_MAX);
    const page = `# Title\n\nNobody knows.\n\n| a |\n| - |\n| ${'b'.repeat(161)} |\n\n- ${long}\n`;
    const more = `\n\`\`\`\nnobody ${long}\n\`\`\`\n\nOne. Two. \`a. b. c.\` Three. Four. Five. Six.\n`;
    const figures = '\n| what | measured | target | met |\n| - | - | - | - |\n| a | 1, 2 | | |\n';
    assert.deepEqual(faultsOf('page.md', page + more + figures), [
      'page.md:3: the word "Nobody"',
      'page.md:7: a cell of 161 letters, at most 160',
      'page.md:9: a paragraph of 1199 letters, at most 600',
      'page.md:15: a paragraph of 6 sentences, at most 5',
      'page.md:19: 2 numbers in the cell "1, 2" of figures, at most 1',
    ]);
  });

  it('show every figure as what, measured, target and met', () => {
    const figures = pages.filter((path) => path.startsWith('docs/figures/'));
    const forms = figures.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^(\|.*\|)\n\| -/gm)].map(([, header = '']) =>
        cellsOf(header),
      ),
    );
    assert.ok(forms.length > 5);
    for (const form of forms) assert.deepEqual(form, FIGURES);
  });
});

describe('the changelog', () => {
  it('has the sections of Keep a Changelog in at most 120 lines for a version', () => {
    const [, ...versions] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
    assert.ok(versions.length > 0);
    for (const version of versions) {
      assert.match(version, /^\[?\d+\.\d+\.\d+\]? - (\d{4}-\d{2}-\d{2}|unreleased)\n/);
      assert.ok(version.split('\n').length <= CHANGELOG_LINES_MAX, version.slice(0, 20));
      for (const [, section] of version.matchAll(/^### (.+)$/gm)) {
        assert.match(section ?? '', /^(Added|Changed|Deprecated|Removed|Fixed|Security)$/);
      }
    }
  });
});

function faultsOf(path: string, page: string): readonly string[] {
  return partsOf(page).flatMap(({ kind, line, text }) => {
    const lengths = kind === 'paragraph' ? paragraphFaults(text) : rowFaults(kind, text);
    const words = rejectedWords(prose(text)).map((word) => `the word "${word}"`);
    return [...lengths, ...words].map((fault) => `${path}:${line}: ${fault}`);
  });
}

/** Rows, headings and paragraphs with the line that they begin at, without blocks of code. */
function partsOf(page: string): readonly Part[] {
  const parts: Part[] = [];
  let open: Part | undefined;
  let header: readonly string[] | undefined;
  const lines = page.replace(/^```[^]*?^```/gm, (block) => block.replace(/.+/g, '')).split('\n');
  for (const [index, raw] of lines.entries()) {
    const [line, isRow] = [index + 1, raw.startsWith('|')];
    const isAlone = isRow || raw.startsWith('#') || raw.trim() === '';
    if (isAlone || /^\s*([-*]|\d+\.) /.test(raw)) open = undefined;
    header = isRow ? (header ?? cellsOf(raw)) : undefined;
    if (raw.trim() === '') continue;
    if (isRow) {
      const isOfFigures = FIGURES.every((name, at) => header?.[at] === name);
      parts.push({ kind: isOfFigures ? 'figures' : 'row', line, text: raw });
    } else if (open === undefined) {
      const part: Part = {
        kind: 'paragraph',
        line,
        text: raw.trim().replace(/^([-*]|\d+\.) /, ''),
      };
      parts.push(part);
      open = isAlone ? undefined : part;
    } else open.text += ` ${raw.trim()}`;
  }
  return parts;
}

function rowFaults(kind: Part['kind'], row: string): readonly string[] {
  const cells = cellsOf(row);
  const long = cells
    .filter((cell) => cell.length > CELL_LENGTH_MAX)
    .map((cell) => `a cell of ${cell.length} letters, at most ${CELL_LENGTH_MAX}`);
  const crowded = (kind === 'figures' ? cells.slice(1) : [])
    .map((cell) => [cell, cell.match(NUMBER)?.length ?? 0] as const)
    .filter(([, count]) => count > 1)
    .map(([cell, count]) => `${count} numbers in the cell "${cell}" of figures, at most 1`);
  return [...long, ...crowded];
}

function paragraphFaults(text: string): readonly string[] {
  const sentences = prose(text).match(/[.!?](?=["')\]]*(\s|$))/g)?.length ?? 0;
  return [
    ...(text.length > PARAGRAPH_LENGTH_MAX
      ? [`a paragraph of ${text.length} letters, at most ${PARAGRAPH_LENGTH_MAX}`]
      : []),
    ...(sentences > SENTENCES_MAX
      ? [`a paragraph of ${sentences} sentences, at most ${SENTENCES_MAX}`]
      : []),
  ];
}

/** Returns the readable text, without spans of code and targets of links. */
function prose(text: string): string {
  return text.replace(/`[^`]*`/g, 'code').replace(/\]\([^)]*\)/g, ']');
}

function cellsOf(row: string): readonly string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
