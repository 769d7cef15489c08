import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { display, parseAtomic } from '../../domain/money.ts';
import { checksummed, parseAddress } from '../../domain/rails/evm.ts';
import { planned, readPlan, writePlan, type SweepPlan } from '../../domain/rails/sweep.ts';
import { planSweep, submitSweep, type SweepingHub } from '../../workflows/index.ts';
import { readSettings } from '../boot/config.ts';
import { openChains } from '../../workflows/kernel/chain/chains.ts';
import { openIds } from '../../workflows/kernel/ids.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import {
  inDatabase,
  type Command,
  type Environment,
  type ExitCode,
  type Print,
} from './command.ts';
import { optionsOf } from './options.ts';

/** `hubctl sweep plan`, `sign` (where the keys of deposits are) and `submit` (by a running hub). */
const NETWORK = 'base';
/** A transfer that moves less is not worth its gas. */
const MIN = '1000000';

export const sweep: Command = async ([verb, file, ...words], env, print) => {
  if (file === undefined) return undefined;
  if (verb === 'sign') return sign(file, words, print);
  if (verb === 'submit' && words.length === 0) {
    return withHub(env, print, (hub) => submit(hub, file, print));
  }
  const options = optionsOf(words, ['--min']);
  const min = parseAtomic(options?.get('--min') ?? MIN);
  if (verb !== 'plan' || options === undefined || min === undefined) return undefined;
  return withHub(env, print, async (hub) => {
    const plan = await planSweep(hub, NETWORK, min);
    writeFileSync(file, writePlan(plan), { flag: 'wx' });
    print(`${file}: ${says(plan)}; sign it with hubctl sweep sign\n`);
    return 0;
  });
};

/** Asks neither network nor database; who signs names the receiver, whatever the file says. */
async function sign(
  file: string,
  words: readonly string[],
  print: Print,
): Promise<ExitCode | undefined> {
  const options = optionsOf(words, ['--key', '--to']);
  const [key, to] = [options?.get('--key'), parseAddress(options?.get('--to') ?? '')];
  if (key === undefined || to === undefined) return undefined;
  const plan = planIn(file);
  if (plan.to !== to) {
    print(`${file} pays ${checksummed(plan.to)}, and not ${checksummed(to)}; nothing is signed\n`);
    return 1;
  }
  const { signPlan } = await import('../../workflows/kernel/chain/sweepSigner.ts');
  const signed = await signPlan(plan, readFileSync(key, 'utf8'));
  writeFileSync(file, writePlan(signed));
  print(`${file}: signed ${says(plan)}\n`);
  return 0;
}

async function submit(hub: SweepingHub, file: string, print: Print): Promise<ExitCode> {
  const answer = await submitSweep(hub, NETWORK, planIn(file));
  if (!('queued' in answer)) {
    print(`${answer.refused}\n`);
    return 1;
  }
  for (const { from, why } of answer.refused) print(`${checksummed(from)}: ${why}\n`);
  print(`${answer.queued} go out with the next runs of the hot wallet\n`);
  return answer.refused.length === 0 ? 0 : 1;
}

function planIn(file: string): SweepPlan {
  const plan = readPlan(readFileSync(file, 'utf8'));
  if (plan === undefined) throw new Error(`${file} is not a file of hubctl sweep plan`);
  return plan;
}

function says(plan: SweepPlan): string {
  const sum = display(planned(plan));
  return `${plan.orders.length} addresses with ${sum} USDC to ${checksummed(plan.to)}`;
}

async function withHub(
  env: Environment,
  print: Print,
  work: (hub: SweepingHub) => Promise<ExitCode>,
): Promise<ExitCode> {
  const settings = readSettings(env);
  return inDatabase(settings, print, async (store) => {
    const chains = openChains(settings.chain);
    const ids = openIds(systemClock);
    return await work({ store, clock: systemClock, ids, chains, random: randomBytes });
  });
}
