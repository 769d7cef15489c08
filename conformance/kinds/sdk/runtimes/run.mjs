import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, startHub } from '../../dredd/hub.mjs';
import { installIn } from '../../../harness/npm.mjs';
import { asCommand } from '../../../../tools/python.mjs';

/**
 * The built client in Node, Deno, Bun (from npm) and the browser form: one program in each, against
 * a hub. Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const RUN_MS_MAX = 120_000;
const here = join(root, 'conformance/kinds/sdk/runtimes');
const built = (name) => pathToFileURL(join(root, 'clients/typescript/dist', name)).href;

await asCommand(async () => {
  installIn(here, 'Deno and Bun');
  // Puts the program of this platform, which came along, where the package looks for it.
  spawnSync(process.execPath, ['install.js'], { cwd: join(here, 'node_modules/bun') });
  const { status } = spawnSync('npm', ['run', '--silent', 'build:client'], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: 'inherit',
  });
  if (status !== 0) return 1;
  const hub = await startHub();
  try {
    const program = join(here, 'program.mjs');
    const carried = (name) => join(here, 'node_modules/.bin', name);
    const deno = ['run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-read', program];
    const ways = [
      ['Node', process.execPath, [program, built('index.js')]],
      ['Node, the form for browsers', process.execPath, [program, built('browser.js')]],
      ['Deno', carried('deno'), [...deno, built('index.js')]],
      ['Bun', carried('bun'), [program, built('index.js')]],
    ];
    const failed = ways.filter(([name, command, words]) => {
      process.stdout.write(`${name}\n`);
      const ran = spawnSync(command, [...words, hub.url], {
        cwd: here,
        stdio: 'inherit',
        timeout: RUN_MS_MAX,
        shell: process.platform === 'win32',
      });
      if (ran.status !== 0) process.stdout.write(`${name} failed: ${ran.error ?? ran.status}\n`);
      return ran.status !== 0;
    });
    return failed.length === 0 ? 0 : 1;
  } finally {
    await hub.stop();
  }
});
