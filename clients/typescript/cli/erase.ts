import { unwrap } from '../index.ts';
import { isSet, UsageError, wordsOf, type Command } from './command.ts';
import { openSession, ownerOf } from './session.ts';
import { facts, show, table } from './show.ts';

export const eraseAccount: Command = {
  usage: 'erase',
  summary: 'erases what may be erased of it, and lists what stays',
  options: { yes: { type: 'boolean' } },
  help: `  --yes           erases; nothing brings it back, so run "hub export" first
`,
  run: async (call) => {
    wordsOf(call);
    if (!isSet(call, 'yes')) {
      throw new UsageError('nothing brings back what is erased; --yes says that you mean it');
    }
    const { hub } = await openSession(call);
    const owner = await ownerOf(hub);
    const sums: Record<string, number> = {};
    for (;;) {
      const answer = unwrap(
        await hub.POST('/api/v1/wallet/{owner}/erase', {
          params: { path: { owner } },
          body: { confirm: 'erase' },
        }),
      );
      for (const [what, count] of Object.entries(answer.erased)) {
        sums[what] = (sums[what] ?? 0) + count;
      }
      if (answer.left > 0) continue;
      const { stays } = answer;
      show(call, { owner, erased: sums, stays }, () => {
        const rows = stays.map((each) => [each.table, each.why]);
        return `${facts(call.io, Object.entries(sums))}\n${table(call.io, ['stays', 'because'], rows)}`;
      });
      return 0;
    }
  },
};
