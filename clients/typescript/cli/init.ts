import { createHub, NoAnswer } from '../index.ts';
import { wordsOf, type Command } from './command.ts';
import { keepAddress } from './home.ts';
import { hubKeys, makeSession } from './session.ts';
import { facts, show, styled } from './show.ts';

/** `hub init`: an account is a key in a file; the hub need not run. */
export const init: Command = {
  usage: 'init',
  summary: 'makes the key that is your account, and keeps the hub',
  help: `The key lies in ./.hub/agent.key, readable by its owner alone. It gives access to the account,
and a lost key cannot be replaced. An existing key is kept.
`,
  run: async (call) => {
    wordsOf(call);
    const session = await makeSession(call);
    const { home, hub, isNew } = session;
    await keepAddress(home);
    // The first meeting with a hub is when its keys are kept; one that is down is met later.
    const once = createHub({ baseUrl: home.baseUrl, retry: false });
    const isMet = await hubKeys({ home, hub: once }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NoAnswer) return false;
        throw error;
      },
    );
    const answer = { account: hub.account, key: home.keyFile, hub: home.baseUrl, isNew, isMet };
    show(call, answer, () =>
      facts(call.io, [
        ['account', hub.account],
        ['key', `${home.keyFile}${isNew ? ' (new; keep it, keep it secret)' : ''}`],
        ['hub', `${home.baseUrl}${isMet ? '' : ' (does not answer now)'}`],
      ]).concat(`${styled(call.io, 'dim', 'next')}: hub work\n`),
    );
    return 0;
  },
};
