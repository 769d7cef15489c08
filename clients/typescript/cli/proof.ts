import { createHash } from 'node:crypto';
import { receiptsIn } from '../../../domain/log/receipts.ts';
import { unwrap } from '../index.ts';
import { verify } from '../node.ts';
import { UsageError, wordsOf, type Command } from './command.ts';
import { homeOf } from './home.ts';
import { jsonFile } from './input.ts';
import { hubKeys, openReader } from './session.ts';
import { show } from './show.ts';
import { textOfVerdict } from './verify.ts';

export const proof: Command = {
  usage: 'proof FILE',
  summary: 'proves that a receipt, payout or ruling is in the log',
  help: `FILE is a receipt as the hub answered it, a statement with one payout, or a dispute; - takes
standard input. With --json the answer is the receipt with its proof: save it, and "hub verify"
checks it at any time without the hub.
`,
  run: async (call) => {
    const [file = ''] = wordsOf(call, 'FILE');
    const receipt = await jsonFile(call.io, file);
    const [found, another] = receiptsIn(receipt);
    if (found === undefined) throw new UsageError(`${file} has no receipt that is final`);
    if (another !== undefined) throw new UsageError(`${file} has several receipts; name one`);
    const hub = await openReader(call);
    const keys = await hubKeys({ hub, home: await homeOf(call) });
    const digest = createHash('sha256').update(found.text).digest('hex');
    const params = { path: { digest } };
    const answer = unwrap(await hub.GET('/api/v1/log/proofs/{digest}', { params }));
    const proved = { receipt, proof: answer };
    const verdict = await verify.logged(proved, keys);
    show(call, verdict.ok ? proved : verdict, () => textOfVerdict(verdict));
    return verdict.ok ? 0 : 1;
  },
};
