import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, startHub } from '../../kinds/dredd/hub.mjs';
import { asCommand, CannotRun, environment, runWithin } from '../../../tools/python.mjs';

/**
 * Runs the official A2A and MCP clients for Python against a hub (HUB_URL, else its own): list,
 * read, signed change, refusals, streams, and the samples of docs/mcp.md and docs/a2a.md. Exit
 * codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const RUN_MS_MAX = 5 * 60_000;

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/doors-python');
  const python = join(environment(join(here, 'requirements.txt'), cache), 'python');
  const client = ['-m', 'pip', 'install', '--quiet', '--no-input', join(root, 'clients/python')];
  if (spawnSync(python, client, { stdio: 'inherit' }).status !== 0) {
    throw new CannotRun('The Python client could not be installed.');
  }
  const hub = await startHub();
  try {
    const samples = join(root, 'conformance/kinds/sdk/python/samples.py');
    const pages = [`${python.replace(/python$/, 'pyright')}`, 'docs/mcp.md', 'docs/a2a.md'];
    const typed = await runWithin(RUN_MS_MAX, python, [samples, ...pages]);
    const words = [join(here, 'main.py'), hub.url];
    const code = await runWithin(RUN_MS_MAX, python, words, { env: { PYTHONUNBUFFERED: '1' } });
    for (const line of hub.errors()) process.stdout.write(`The hub logged: ${line}\n`);
    return typed !== 0 || code !== 0 || hub.errors().length > 0 ? 1 : 0;
  } finally {
    await hub.stop();
  }
});
