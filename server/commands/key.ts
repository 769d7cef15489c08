import { hubKeyRows, signingKey } from '../../db/time/hubKeys.ts';
import { readSettings } from '../config.ts';
import { keyFile } from '../hub/keys/keyFiles.ts';
import { makeNextKey } from '../hub/keys/keys.ts';
import { systemClock } from '../hub/systemClock.ts';
import { bindKeyFile } from './bindKey.ts';
import { openDatabase, type Command } from './command.ts';

/**
 * `hubctl key rotate`: makes the key that the next pulse announces; the hub may be running.
 * `hubctl key bind` is an agent's (bindKey.ts).
 */
export const key: Command = async (words, env, print) => {
  if (words[0] === 'bind') return bindKeyFile(words.slice(1), print);
  if (words.length !== 1 || words[0] !== 'rotate') return undefined;
  const settings = readSettings(env);
  const { dataDir } = settings;
  const store = await openDatabase(settings, print);
  if (store === undefined) return 2;
  try {
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
  } finally {
    await store.close();
  }
};
