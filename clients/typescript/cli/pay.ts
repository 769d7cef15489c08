import { unwrap } from '../index.ts';
import { isSet, textOf, UsageError, wordsOf, type Command } from './command.ts';
import { atomic, usdc } from './money.ts';
import { openSession, ownerOf } from './session.ts';
import { facts, show } from './show.ts';
import { defined } from '../../../domain/defined.ts';

export const pay: Command = {
  usage: 'pay ACCOUNT AMOUNT',
  summary: 'pays another account, once however often it is sent',
  options: {
    memo: { type: 'string' },
    network: { type: 'string' },
    atomic: { type: 'boolean' },
    'idempotency-key': { type: 'string' },
  },
  help: `AMOUNT is in USDC, such as 0.25.
  --memo TEXT             a line that both statements show
  --network NAME          the money's network; the hub's own when absent
  --atomic                AMOUNT is in atomic units: 250000 is 0.25 USDC
  --idempotency-key TEXT  your name for this payment; sent again under it, it is the same payment
`,
  run: async (call) => {
    const [to = '', amount = ''] = wordsOf(call, 'ACCOUNT', 'AMOUNT');
    const units = atomic(amount, isSet(call, 'atomic'));
    if (units === '0') throw new UsageError('a payment of nothing is none');
    const [memo, network] = [textOf(call, 'memo'), textOf(call, 'network')];
    const idempotencyKey = textOf(call, 'idempotency-key');
    const { hub } = await openSession(call);
    const paid = unwrap(
      await hub.POST('/api/v1/wallet/{owner}/pay', {
        params: { path: { owner: await ownerOf(hub) } },
        body: {
          to,
          amount: units,
          ...defined({ memo, network, idempotencyKey }),
        },
      }),
    );
    show(call, paid, () =>
      facts(call.io, [
        ['paid', `${usdc(paid.amount)} ${paid.asset} on ${paid.network}`],
        ['to', paid.to],
        ['memo', paid.memo],
        ['transfer', paid.transferId],
        ['spendable', usdc(paid.spendableAfter)],
        ['repeated', paid.repeated ? 'yes: it was paid before, and only then' : undefined],
      ]),
    );
    return 0;
  },
};
