import { startHub } from '../kinds/dredd/hub.mjs';
import { localProvider, startUpstream, upstreamFile } from './_upstream.ts';
import { play } from './scripted.mjs';

/**
 * Starts a hub whose only provider does what its messages say, and stops both when `work` is over.
 * Answers whether `work` held and the hub logged no error, as an exit code.
 *
 * @param {Record<string, string>} settings of the hub, beside its upstreams
 * @param {(hub: { url: string }) => Promise<boolean>} work
 */
export async function withScriptedHub(settings, work) {
  const upstream = await startUpstream();
  upstream.play(play);
  const { env, remove } = upstreamFile([localProvider(upstream)], [upstream]);
  const { HUB_MODEL_UPSTREAMS } = env;
  const hub = await startHub({
    allow: [upstream.pair],
    settings: { HUB_MODEL_UPSTREAMS, ...settings },
  });
  try {
    const held = await work(hub);
    for (const line of hub.errors()) process.stdout.write(`The hub logged: ${line}\n`);
    return held && hub.errors().length === 0 ? 0 : 1;
  } finally {
    await hub.stop();
    await upstream.close();
    remove();
  }
}
