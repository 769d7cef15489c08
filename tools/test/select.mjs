/** Which test files a run means: all, a file, a folder, a layer or an area. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ROOT } from './typescript.mjs';

export const LAYERS = [
  'domain',
  'db',
  'workflows',
  'handlers',
  'server',
  'tools',
  'clients',
  'conformance',
];
const SKIPPED = new Set(['node_modules', 'dist']);

/** Folders and files that belong to an area and do not carry its name. */
const ALSO = {
  services: ['advance', 'credit', 'lend'],
  wallet: ['ledger', 'money', 'supply'],
  validators: ['draw'],
  tasks: ['terms'],
  discovery: ['case', 'search'],
};

/** The cases are what the runner's own test gives it by name. */
const isTest = (path) => path.endsWith('.test.ts') || path.startsWith('tools/test/cases/');

/** Paths below a folder that a test run reads, `/` between their parts on every system. */
export function filesBelow(folder, ends) {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const below = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(below, ends);
    return entry.name.endsWith(ends) ? [below] : [];
  });
}

const allTests = () => LAYERS.flatMap((layer) => filesBelow(layer, '.test.ts')).sort();

/** `tasks`, `task` and the first word of `taskQueue` are one name. */
const nameOf = (part) =>
  part
    .replace(/\.test\.ts$|\.ts$/, '')
    .replace(/^_/, '')
    .replace(/[A-Z].*$/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');

/** Every area has a folder of its own in the contract. */
export function areas() {
  return readdirSync(join(ROOT, 'spec'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => !['common', 'plugins', 'released', 'vectors'].includes(name));
}

/** An area's files: those with a folder or a first word of its name, in whichever layer. */
function ofArea(area, tests) {
  const names = new Set([area, ...(ALSO[area] ?? [])].map(nameOf));
  return tests.filter((path) => {
    const [layer, ...parts] = path.split('/');
    const isWhole = ['conformance', 'handlers', 'workflows'].includes(layer);
    // There the first folder is the area, and a file has the name of an operation.
    const telling = isWhole && parts[0] !== 'kernel' ? parts.slice(0, 1) : parts;
    return telling.some((part) => names.has(nameOf(part)));
  });
}

function ofWord(word, tests) {
  const path = relative(ROOT, resolve(word)).replaceAll('\\', '/');
  if (existsSync(join(ROOT, path)) && path !== '') {
    if (!statSync(join(ROOT, path)).isDirectory()) return isTest(path) ? [path] : [];
    return tests.filter((test) => test.startsWith(`${path}/`));
  }
  if (areas().includes(word)) return ofArea(word, tests);
  const parts = word.split('/');
  return tests.filter((test) =>
    test.split('/').some((_, from, all) => parts.every((part, n) => all[from + n] === part)),
  );
}

/** The files that the words mean, each once, in the order of the words; throws on an idle word. */
export function select(words) {
  const tests = allTests();
  if (words.length === 0) return tests;
  const found = words.flatMap((word) => {
    const files = ofWord(word, tests);
    if (files.length > 0) return files;
    throw new Error(
      `no test file is meant by ${word}: name a file, a folder or an area (${areas().join(', ')})`,
    );
  });
  return [...new Set(found)];
}
