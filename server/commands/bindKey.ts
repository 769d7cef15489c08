import { bindKey, createHub, isRefusal } from '../../clients/typescript/index.ts';
import { keys } from '../../clients/typescript/node.ts';
import type { ExitCode, Print } from './command.ts';
import { HUB_DEFAULT, optionsOf } from './options.ts';

/**
 * `hubctl key bind NEWFILE --key FILE [--hub URL] [--label TEXT]`: the key in NEWFILE, which is made
 * when it is missing, joins the account of the key in FILE. Both sign; either alone binds nothing.
 */
export async function bindKeyFile(
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
