import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, startHub } from '../../kinds/dredd/hub.mjs';
import { asCommand, CannotRun, environment, runWithin } from '../../../tools/python.mjs';

/**
 * Servers of the Python SDK as hosted agents, dialled and connected, called by its client. They use
 * the environment of the doors' runs. Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const doors = join(root, 'conformance/doors/python');
const RUN_MS_MAX = 5 * 60_000;
const HUB_COMMAND = [process.execPath, '--import', 'tsx', join(root, 'server/cli.ts')];

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/doors-python');
  const python = join(environment(join(doors, 'requirements.txt'), cache), 'python');
  const hub = await startHub();
  try {
    // The one port of this machine that a hub of ours may call; another hub has none for us.
    if (hub.judge === undefined) throw new CannotRun('It starts a hub of its own; unset HUB_URL.');
    const port = hub.judge.split(':')[1];
    const words = [join(here, 'main.py'), hub.url, port, ...HUB_COMMAND];
    const env = { PYTHONUNBUFFERED: '1', PYTHONPATH: doors };
    const code = await runWithin(RUN_MS_MAX, python, words, { env, cwd: root });
    for (const line of hub.errors()) process.stdout.write(`The hub logged: ${line}\n`);
    return code !== 0 || hub.errors().length > 0 ? 1 : 0;
  } finally {
    await hub.stop();
  }
});
