import { waitingForOperator } from '../../db/rails/withdrawals.ts';
import { iso } from '../../domain/instant.ts';
import { checksummed } from '../../domain/rails/evm.ts';
import { cancelWithdrawal, releaseWithdrawal } from '../../workflows/index.ts';
import { readSettings } from '../boot/config.ts';
import { openChains } from '../../workflows/kernel/chain/chains.ts';
import { openIds } from '../../workflows/kernel/ids.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { inDatabase, printed, type Command } from './command.ts';

const SHOWN = 50;
const WORDS = { release: releaseWithdrawal, cancel: cancelWithdrawal } as const;

/** `hubctl withdrawals [release|cancel ID]`: a running hub acts on the decision within seconds. */
export const withdrawals: Command = async ([verb, id, ...more], env, print) => {
  const decide = Object.entries(WORDS).find(([name]) => name === verb)?.[1];
  const isList = verb === undefined || (verb === 'list' && id === undefined);
  if (more.length > 0 || (!isList && (decide === undefined || id === undefined))) return undefined;
  const settings = readSettings(env);
  return inDatabase(settings, print, async (store) => {
    if (decide === undefined || id === undefined) {
      const rows = await store.readOne((db) => waitingForOperator(db, SHOWN));
      for (const row of rows) {
        const { amount, account, network, requestedAt } = row;
        const to = checksummed(row.address);
        print(`${row.id}  ${iso(requestedAt)}  ${network}  ${amount}  ${account}  to ${to}\n`);
      }
      if (rows.length === 0) print('no withdrawal waits for an operator\n');
      return 0;
    }
    const chains = openChains(settings.chain);
    const hub = { clock: systemClock, ids: openIds(systemClock), chains };
    return printed(await store.write((tx) => decide(hub, tx, id)), print);
  });
};
