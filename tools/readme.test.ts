import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { operationTable } from '../generated/operations.ts';
import { readSettings } from '../server/boot/config.ts';

/** Pages that are read before anything else are held against what they speak of. */
const NAMES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const README_LINES_MAX = 150;
const readme = NAMES.map((name) => readFileSync(name, 'utf8')).join('\n');
const settings = readFileSync('docs/settings.md', 'utf8');

describe('the pages for newcomers', () => {
  it('begin with a README that is read in one go', () => {
    const lines = readFileSync('README.md', 'utf8').split('\n').length;
    assert.ok(lines <= README_LINES_MAX, `${lines} lines`);
  });

  it('have every setting with its default, and no other', () => {
    const listed = new Map(
      rowsOf(settings).map(([name, value]) => [bare(name), bare(value)] as const),
    );
    assert.deepEqual([...listed.keys()].sort(), ['FAUCET_ENABLED', ...hubNames()].sort());
    const absent = readSettings({});
    const given = readSettings(Object.fromEntries(listed));
    assert.deepEqual(given, absent, 'setting each to its listed default changes nothing');
  });

  it('name only commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    for (const [, name] of readme.matchAll(/npm run ([a-z:]+)/g)) {
      assert.ok(name !== undefined && name in scripts, name);
    }
  });

  it('name only files and folders that exist', () => {
    const named = [...readme.matchAll(/`([a-z]+\/[A-Za-z/._-]*|[A-Z]+\.md)`/g)];
    for (const [, path] of named) {
      // A file that a build writes is not there before it.
      if (path === undefined || /(^|\/)dist(\/|$)/.test(path)) continue;
      assert.ok(existsSync(path), path);
    }
    assert.ok(named.length > 20);
  });

  it('name only routes that exist', () => {
    const routes = new Set(Object.values(operationTable).map((o) => `${o.method} ${o.path}`));
    const named = [...readme.matchAll(/\b(GET|POST) '?(\/[A-Za-z0-9/._{}-]*)/g)];
    for (const [, method, path] of named) {
      assert.ok(routes.has(`${method ?? ''} ${path ?? ''}`), `${method ?? ''} ${path ?? ''}`);
    }
    assert.ok(named.length > 8);
  });
});

/** Returns the names of the settings, as listed in the error for an unknown one. */
function hubNames(): readonly string[] {
  try {
    readSettings({ HUB_NO_SUCH_NAME: '' });
  } catch (error) {
    const known = /known: (.+)$/.exec(String(error))?.[1] ?? '';
    return known.split(', ');
  }
  throw new Error('an unknown setting was taken');
}

function rowsOf(page: string): readonly (readonly [string, string])[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, name = '', value = ''] = line.split('|');
      return [name, value] as const;
    });
}

function bare(cell: string): string {
  return cell.trim().replaceAll('`', '');
}
