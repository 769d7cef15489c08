import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../../tools/python.mjs';

/** Packages that are too large to be installed with the hub, in a folder of their own. */

/** Makes the folder with copies of `package.json` and of scripts that import its packages. */
export function copyBeside(from, folder, ...scripts) {
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', ...scripts])
    copyFileSync(join(from, name), join(folder, name));
}

export function installIn(folder, what, words = []) {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
  const { status } = spawnSync('npm', ['install', ...flags, ...words], {
    cwd: folder,
    shell: process.platform === 'win32',
    stdio: 'inherit',
  });
  if (status !== 0) throw new CannotRun(`${what} could not be installed.`);
}
