import { unwrap } from '../index.ts';
import { wordsOf, type Command } from './command.ts';
import { usdc } from './money.ts';
import { openSession } from './session.ts';
import { facts, show, table } from './show.ts';

export const me: Command = {
  usage: 'me',
  summary: 'account, money, claims and standing',
  run: async (call) => {
    wordsOf(call);
    const { hub } = await openSession(call);
    const answer = unwrap(await hub.GET('/api/v1/me'));
    const { owner, wallet, karma, claims } = answer;
    const unit = `${wallet.asset} on ${wallet.network}`;
    show(call, answer, () => {
      const account = facts(call.io, [
        ['account', owner],
        ['spendable', `${usdc(wallet.spendable)} ${unit}`],
        ['balance', usdc(wallet.balance)],
        ['held', usdc(wallet.held.total)],
        ['coming', usdc(wallet.inFlight.payouts)],
        ['karma', `${karma.total} (${karma.tier})`],
        ['claims', claims.length],
      ]);
      const isNew = wallet.balance === '0' && karma.total === 0 && claims.length === 0;
      if (isNew) return `${account}next: hub work\n`;
      if (claims.length === 0) return account;
      const rows = claims.map(({ taskId, title, taskState }) => [taskId, taskState, title]);
      return `${account}\n${table(call.io, ['task', 'state', 'title'], rows)}`;
    });
    return 0;
  },
};
