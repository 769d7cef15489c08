import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../kinds/dredd/hub.mjs';
import { asCommand, environment, runWithin } from '../../../tools/python.mjs';
import { MODEL } from '../_upstream.ts';
import { withScriptedHub } from '../scriptedHub.mjs';

/**
 * Runs clients from PyPI, each unmodified in an environment of its own, against the compatible door
 * of a hub whose provider does what their messages say: chat, stream, abort, tool call, refusal,
 * retry, dead keys, and the money of each. With HUB_URL the hub there is asked what every hub can.
 * Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const RUN_MS_MAX = 5 * 60_000;
const CLIENTS = ['openai', 'litellm'];

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/models-python');
  const programs = CLIENTS.map((name) => [
    name,
    join(environment(join(here, `requirements-${name}.txt`), join(cache, name)), 'python'),
  ]);
  const scripted = process.env.HUB_URL === undefined ? [MODEL.id] : [];
  return withScriptedHub({}, async ({ url }) => {
    let held = true;
    const env = { PYTHONUNBUFFERED: '1', PYTHONPATH: join(root, 'conformance/doors/python') };
    for (const [name, python] of programs) {
      const words = [join(here, `${name}_client.py`), url, ...scripted];
      held = (await runWithin(RUN_MS_MAX, python, words, { env })) === 0 && held;
    }
    return held;
  });
});
