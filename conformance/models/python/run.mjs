import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, startHub } from '../../dredd/hub.mjs';
import { asCommand, environment, runWithin } from '../../harness/python.mjs';

/**
 * Runs the OpenAI client from PyPI against the compatible door of a hub with its own model: lists,
 * chats, streams, refusals, dead keys, and the money of each. With HUB_URL the hub there is asked.
 * Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const RUN_MS_MAX = 5 * 60_000;

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/models-python');
  const python = join(environment(join(here, 'requirements.txt'), cache), 'python');
  const hub = await startHub();
  try {
    const env = { PYTHONUNBUFFERED: '1', PYTHONPATH: join(root, 'conformance/doors/python') };
    const code = await runWithin(RUN_MS_MAX, python, [join(here, 'main.py'), hub.url], { env });
    for (const line of hub.errors()) process.stdout.write(`The hub logged: ${line}\n`);
    return code !== 0 || hub.errors().length > 0 ? 1 : 0;
  } finally {
    await hub.stop();
  }
});
