import { hubKeyRows, signingKey } from '../../db/time/hubKeys.ts';
import { readSettings } from '../boot/config.ts';
import { keyFile } from '../../workflows/kernel/keys/keyFiles.ts';
import { makeNextKey } from '../../workflows/kernel/keys/keys.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { inDatabase, type Command, type ExitCode, type Print } from './command.ts';
import { bindKey, createHub, isRefusal } from '../../clients/typescript/index.ts';
import { keys } from '../../clients/typescript/node.ts';
import { HUB_DEFAULT, optionsOf } from './options.ts';

/** `hubctl key rotate` makes the next key, also beside a running hub; `key bind` is for agents. */
export const key: Command = async (words, env, print) => {
  if (words[0] === 'bind') return bindKeyFile(words.slice(1), print);
  if (words.length !== 1 || words[0] !== 'rotate') return undefined;
  const settings = readSettings(env);
  const { dataDir } = settings;
  return inDatabase(settings, print, async (store) => {
    if (signingKey(await store.read(hubKeyRows)) === undefined) {
      print('The hub has no key yet; it makes its first one when it starts.\n');
      return 2;
    }
    const keyId = await makeNextKey({ store, dataDir, clock: systemClock });
    if (keyId === undefined) {
      print('A key waits already; the next pulse announces it.\n');
      return 1;
    }
    print(`${keyFile(dataDir, keyId)}
The hub announces the key ${keyId} in its next pulse, signed by the key before, and signs
with it from then on. Where several processes share the database, copy the file to all of them now.
`);
    return 0;
  });
};

/** `hubctl key bind` makes the key in NEWFILE if it is missing; both keys must sign the binding. */
async function bindKeyFile(
  [newFile, ...words]: readonly string[],
  print: Print,
): Promise<ExitCode | undefined> {
  const options = optionsOf(words, ['--key', '--hub', '--label']);
  const file = options?.get('--key');
  const baseUrl = options?.get('--hub') ?? HUB_DEFAULT;
  if (newFile === undefined || file === undefined || !URL.canParse(baseUrl)) return undefined;
  const hub = createHub({ baseUrl, key: await keys.load(file) });
  const label = options?.get('--label');
  try {
    const newKey = await keys.loadOrGenerate(newFile);
    const bound = await bindKey(hub, newKey, label === undefined ? {} : { label });
    print(`${bound.publicKey} signs for ${bound.owner}: ${bound.state}\n`);
    return bound.state === 'bound' ? 0 : 1;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    print(`${error.message}\n${error.hint}\n`);
    return 1;
  }
}
