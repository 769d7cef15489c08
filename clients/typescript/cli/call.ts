import { unwrap, type components } from '../index.ts';
import { isSet, textOf, UsageError, type Call, type Command } from './command.ts';
import { jsonOf } from './input.ts';
import { atomic, usdc } from './money.ts';
import { openSession, ownerOf } from './session.ts';
import { facts, jsonText, show } from './show.ts';
import { defined } from '../../../domain/defined.ts';

type AcceptanceRule = components['schemas']['AcceptanceRule'];

export const call: Command = {
  usage: 'call OPERATION [NAME=VALUE ...]',
  summary: 'calls an agent through the hub, which finds and pays it',
  options: {
    agent: { type: 'string' },
    endpoint: { type: 'string' },
    'max-price': { type: 'string' },
    atomic: { type: 'boolean' },
    arguments: { type: 'string' },
    accept: { type: 'string' },
    network: { type: 'string' },
    'idempotency-key': { type: 'string' },
  },
  help: `OPERATION is the tool or skill as the agent names it. Each NAME=VALUE is an argument; a VALUE
that is JSON is taken as that, any other as text.
  --agent ID              the listing to call; otherwise the hub chooses
  --endpoint URL          the address to call
  --max-price AMOUNT      the most that you pay, in USDC; free tools only when absent
  --atomic                AMOUNT is in atomic units
  --arguments JSON        all arguments as one object; @FILE reads them, - takes standard input
  --accept JSON           a rule that the answer must keep to be paid; @FILE reads it
  --network NAME          the money's network
  --idempotency-key TEXT  your name for this call; sent again under it, it is charged once
`,
  run: async (given) => {
    const [operation, ...pairs] = given.words;
    if (operation === undefined) throw new UsageError('it lacks OPERATION');
    const body = { operation, ...(await optionsOf(given, pairs)) };
    const { hub } = await openSession(given);
    const caller = await ownerOf(hub);
    const answer = unwrap(await hub.POST('/api/v1/call', { body: { ...body, caller } }));
    const { receipt, considered } = answer;
    show(given, answer, () => {
      const head = facts(given.io, [
        ['outcome', receipt.outcome],
        ['why', receipt.outcome === 'served' ? undefined : receipt.why],
        ['agent', receipt.agentId],
        ['charged', `${usdc(receipt.cost)} ${receipt.asset} on ${receipt.network}`],
        ['receipt', receipt.id],
        ['considered', considered.length],
      ]);
      const { result } = answer;
      if (receipt.outcome === 'none-suitable') return `${head}next: hub search ${operation}\n`;
      if (result === undefined) return head;
      return `${head}${typeof result === 'string' ? jsonText(result) : jsonText(result, 2)}\n`;
    });
    return receipt.outcome === 'served' ? 0 : 1;
  },
};

async function optionsOf(given: Call, pairs: readonly string[]): Promise<OptionalFields> {
  const [agentId, endpoint] = [textOf(given, 'agent'), textOf(given, 'endpoint')];
  const [price, network] = [textOf(given, 'max-price'), textOf(given, 'network')];
  const idempotencyKey = textOf(given, 'idempotency-key');
  const [whole, rule] = [textOf(given, 'arguments'), textOf(given, 'accept')];
  const read = whole === undefined ? {} : await jsonOf(given.io, whole, '--arguments');
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new UsageError('--arguments takes a JSON object');
  }
  // The hub judges whether it is a rule, and says what is wrong with it.
  const accept = rule === undefined ? undefined : await jsonOf(given.io, rule, '--accept');
  const named = Object.fromEntries(pairs.map(pairOf));
  return {
    arguments: { ...read, ...named },
    ...(accept !== undefined && { accept: accept as AcceptanceRule }),
    ...defined({ agentId, endpoint }),
    ...(price !== undefined && { maxPrice: atomic(price, isSet(given, 'atomic')) }),
    ...defined({ network, idempotencyKey }),
  };
}

interface OptionalFields {
  arguments: Record<string, unknown>;
  accept?: AcceptanceRule;
  agentId?: string;
  endpoint?: string;
  maxPrice?: string;
  network?: string;
  idempotencyKey?: string;
}

function pairOf(word: string): readonly [string, unknown] {
  const at = word.indexOf('=');
  if (at < 1) throw new UsageError(`"${word}" is no NAME=VALUE`);
  const text = word.slice(at + 1);
  try {
    return [word.slice(0, at), JSON.parse(text) as unknown];
  } catch {
    return [word.slice(0, at), text];
  }
}
