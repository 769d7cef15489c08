import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');

/** Every file that states the version of the release, with what stands before it. */
const VERSIONED = {
  'package.json': /^ {2}"version": "(.+)"/m,
  'clients/typescript/package.json': /^ {2}"version": "(.+)"/m,
  'conformance/kinds/kit/package.json': /^ {2}"version": "(.+)"/m,
  'clients/python/pyproject.toml': /^version = "(.+)"/m,
  'clients/python/src/agent_exchange/__init__.py': /^__version__ = "(.+)"/m,
  'spec/openapi.yaml': /^ {2}version: (.+)$/m,
  'deploy/Dockerfile': /image\.version="(.+)"/,
  'deploy/helm/Chart.yaml': /^appVersion: (.+)$/m,
  'deploy/helm/values.yaml': /tag: ([\d.]+)/,
};

/** Clones the committed tree into `folder`, with the packages of this one. */
export function cloneForRelease(folder) {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, folder]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  appendFileSync(join(folder, '.git/info/exclude'), '/node_modules\n');
  return folder;
}

/** Dates the section of the changelog in `clone`, commits and tags it; throws if versions differ. */
export function tagRelease(clone) {
  const git = (...words) => execFileSync('git', words, { cwd: clone, encoding: 'utf8' }).trim();
  const read = (path) => readFileSync(join(clone, path), 'utf8');
  const versions = Object.entries(VERSIONED).map(([path, form]) => [
    path,
    form.exec(read(path))?.[1],
  ]);
  const [[, version]] = versions;
  const others = versions.filter(([, each]) => each !== version);
  if (others.length > 0) throw new Error(`not ${version}: ${JSON.stringify(others)}`);
  const page = read('CHANGELOG.md');
  const heading = `## ${version} - unreleased\n`;
  const [, section] = page.split(heading);
  if (section === undefined) throw new Error(`CHANGELOG.md has no "${heading.trim()}"`);
  const notes = section.split(/^## /m)[0].trim();
  if (!/^- /m.test(notes)) throw new Error(`CHANGELOG.md says nothing about ${version}`);
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(join(clone, 'CHANGELOG.md'), page.replace(heading, `## ${version} - ${day}\n`));
  const who = ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost'];
  git(...who, 'commit', '--quiet', '--all', '--message', `Release ${version}`);
  const tag = `v${version}`;
  git(...who, 'tag', '--annotate', tag, '--message', notes);
  return {
    version,
    tag,
    commit: git('rev-parse', `${tag}^{commit}`),
    lines: notes.split('\n').length,
  };
}

export function buildClone(clone) {
  execFileSync(process.execPath, ['tools/prepare.mjs'], { cwd: clone, stdio: ['ignore', 2, 2] });
}
