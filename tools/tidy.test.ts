import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { operationTable } from '../generated/operations.ts';
import { PENDING } from '../handlers/pending.ts';

/** The source reads itself: layout, lengths, words and who may import whom. */
const FILE_LINES_MAX = 300;
// Prettier holds the code to 100 characters; comments are held here, and may run a word over.
const COMMENT_CHARACTERS_MAX = 105;
const TOP_LEVEL = [
  'clients',
  'conformance',
  'db',
  'domain',
  'generated',
  'handlers',
  'server',
  'spec',
  'tools',
  'workflows',
];
const BANNED =
  /\b(TODO|FIXME|XXX|HACK)\b|\bas any\b|@ts-ignore|@ts-expect-error|eslint-disable|\.skip\(|\.only\(/;

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));
const sources = tracked.filter((path) => path.endsWith('.ts') && !path.startsWith('generated/'));

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
            : BANNED.test(line)
              ? [`${path}:${index + 1} ${line.trim()}`]
              : [],
        ),
      );
    assert.deepEqual(loose, []);
  });

  it('imports only downwards', () => {
    assert.deepEqual(sources.flatMap(forbiddenImports), []);
  });
});

describe('one operation, one name everywhere', () => {
  const ids = Object.keys(operationTable);

  it('has a contract file for every operation and no other', () => {
    const named = ids.map((id) => `spec/${id.replace('.', '/')}.yaml`);
    const shared =
      /^spec\/(common|released|plugins|vectors)\/|\/schemas\/|\/(parameters|fields)\.yaml$|^spec\/[^/]+$/;
    const present = tracked.filter((path) => path.startsWith('spec/') && !shared.test(path));
    assert.deepEqual(present.sort(), named.sort());
  });

  it('has a handler file for every operation that is not pending, and no other', () => {
    const written = ids.filter((id) => !PENDING.some((pending) => pending === id));
    const shared =
      /\/_[A-Za-z]+(\.test)?\.ts$|\/(index|jobs|present)\.ts$|\/content\/|^handlers\/[^/]+$/;
    // The route index is its area's index as well: one file under both names.
    const named = written
      .map((id) => `handlers/${id.replace('.', '/')}.ts`)
      .filter((path) => !shared.test(path));
    const present = tracked.filter((path) => path.startsWith('handlers/') && !shared.test(path));
    assert.deepEqual(present.sort(), named.sort());
  });
});

/** The import law: each layer and the folders that it may reach. */
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  domain: /^domain\//,
  db: /^(db|domain)\//,
  workflows:
    /^(workflows|domain|db|generated)\/|^server\/(errors|hub|jobs\/driver)\.ts$|^handlers\/_money\.ts$/,
  handlers:
    /^(handlers|workflows|domain|db|generated)\/|^server\/(handler|errors|hub|jobs\/driver)\.ts$/,
  server: /^(server|domain|db|generated)\/|^handlers\/index\.ts$/,
  // The command line is a client as well: it verifies and bridges with what is published.
  'server/commands': /^(server|domain|db|generated|clients)\//,
  // The scripted agents are clients too: they know the hub by its address alone.
  'server/sandbox':
    /^(server\/sandbox|clients)\/|^server\/config\.ts$|^domain\/outside\/opened\.ts$/,
  // A second opinion that shared code with what it judges would share its mistakes.
  'conformance/simulate':
    /^conformance\/(simulate|harness)\/|^conformance\/ledger\/auditor\.ts$|^clients\//,
  'conformance/simulate/model': /^conformance\/simulate\/model\//,
  clients: /^(clients|generated)\/|^domain\/(httpsig\/|json\.ts$)/,
  generated: /^(generated|server\/operation\.ts)/,
};

function forbiddenImports(path: string): readonly string[] {
  const law = MAY_IMPORT[dirname(path)] ?? MAY_IMPORT[path.split('/')[0] ?? ''];
  if (law === undefined || path.endsWith('.test.ts')) return [];
  return importsOf(path)
    .filter((target) => !law.test(target))
    .map((target) => `${path} imports ${target}`);
}

function importsOf(path: string): readonly string[] {
  const found = readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g);
  return [...found].map((match) => normalize(join(dirname(path), match[1] ?? '')));
}

function lines(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n');
}
