import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { operationTable } from '../generated/operations.ts';
import { sources, tracked } from './tree.ts';

/** The source reads itself: layout, lengths and loose ends. Imports and words have tests beside. */
const FILE_LINES_MAX = 300;
const HANDLER_LINES_MEDIAN_MAX = 45;
// Prettier holds the code to 100 characters; comments are held here, and may run a word over.
const COMMENT_CHARACTERS_MAX = 105;
const TOP_LEVEL = [
  'clients',
  'conformance',
  'db',
  'deploy',
  'docs',
  'domain',
  'generated',
  'handlers',
  'server',
  'spec',
  'tools',
  'workflows',
];
const LOOSE_ENDS =
  /\b(TODO|FIXME|XXX|HACK)\b|\bas any\b|@ts-ignore|@ts-expect-error|eslint-disable|\.skip\(|\.only\(/;

describe('tidy', () => {
  it('has no folder at the top that the layout does not name', () => {
    const folders = new Set(
      tracked.filter((p) => p.includes('/')).map((p) => p.split('/')[0] ?? ''),
    );
    const strange = [...folders].filter((f) => !TOP_LEVEL.includes(f) && !f.startsWith('.'));
    assert.deepEqual(strange, []);
  });

  it('keeps files short enough to have one reason to exist', () => {
    const long = sources.filter(
      (path) => lines(path).length > FILE_LINES_MAX && !path.endsWith('.test.ts'),
    );
    assert.deepEqual(long, []);
  });

  it('keeps lines readable and leaves no loose ends', () => {
    const loose = sources
      .filter((path) => path !== 'tools/tidy.test.ts' && !path.endsWith('.test.ts'))
      .flatMap((path) =>
        lines(path).flatMap((line, index) =>
          line.length > COMMENT_CHARACTERS_MAX && /^\s*(\*|\/[/*])/.test(line)
            ? [`${path}:${index + 1} is ${line.length} characters long`]
            : LOOSE_ENDS.test(line)
              ? [`${path}:${index + 1} ${line.trim()}`]
              : [],
        ),
      );
    assert.deepEqual(loose, []);
  });

  it('writes commands that every system runs, without the syntax of one shell', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const shelled = Object.values(scripts).filter((each) => /(^|\s)\w+=|[|;<>$`']/.test(each));
    assert.deepEqual(shelled, []);
  });

  it('names no file after its privacy outside of tests', () => {
    const hidden = sources.filter(
      (path) => /\/_[^/]+$/.test(path) && !path.startsWith('conformance/'),
    );
    assert.deepEqual(hidden, []);
  });
});

describe('one operation, one name everywhere', () => {
  const ids = Object.keys(operationTable);

  it('has a contract file for every operation and no other', () => {
    const named = ids.map((id) => `spec/${id.replace('.', '/')}.yaml`);
    const shared =
      /^spec\/(choices|common|examples|released|plugins|vectors)\/|\/schemas\/|\/(parameters|fields)\.yaml$|^spec\/[^/]+$/;
    const present = tracked.filter((path) => path.startsWith('spec/') && !shared.test(path));
    assert.deepEqual(present.sort(), named.sort());
  });

  // The route index is its area's index as well: one file under both names.
  const shared = /\/(index|present)\.ts$|\/(present|content)\/|^handlers\/[^/]+$/;
  const operations = ids
    .map((id) => `handlers/${id.replace('.', '/')}.ts`)
    .filter((path) => !shared.test(path));

  it('has a handler file for every operation, and no other', () => {
    const present = tracked.filter((path) => path.startsWith('handlers/') && !shared.test(path));
    assert.deepEqual(present.sort(), operations.sort());
  });

  it('keeps handlers to what an operation takes and answers', () => {
    const lengths = operations.map((path) => lines(path).length).sort((a, b) => a - b);
    const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
    assert.ok(median <= HANDLER_LINES_MEDIAN_MAX, `half of them have over ${median} lines`);
  });
});

function lines(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n');
}
