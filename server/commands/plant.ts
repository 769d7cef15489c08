import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { judgedTasks } from '../../db/validators/judgedTasks.ts';
import { instant, iso } from '../../domain/instant.ts';
import { isObject } from '../../domain/jsonObject.ts';
import { parseJson } from '../../domain/json.ts';
import {
  comparePlants,
  drawPlant,
  REAL_MIN,
  type BankItem,
  type Plant,
} from '../../domain/validators/planting.ts';
import { plantAnswer } from '../../workflows/index.ts';
import { readSettings } from '../boot/config.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { inDatabase, printed, type Command, type Environment, type ExitCode } from './command.ts';
import type { Print } from './command.ts';

/** As many of the newest judged tasks are what a planted one looks like. */
const SEEN_MAX = 300;
/** One planted task for as many real ones, when nothing is said. */
const EVERY = 20;
const RANDOM_STEPS = 2 ** 32;

/** `hubctl plant`: results whose answer the operator knows, in tasks of ordinary accounts. */
export const plant: Command = async ([verb, ...words], env, print) => {
  const [first, second, ...more] = words;
  if (more.length > 0) return undefined;
  if (verb === 'check' && first === undefined) return check(env, print);
  if (verb === 'draw' && first !== undefined) return draw(first, second ?? `${EVERY}`, env, print);
  if (verb !== 'answer' || first === undefined) return undefined;
  if (second !== 'accepted' && second !== 'rejected') return undefined;
  const planted = { attemptId: first, answer: second } as const;
  return inDatabase(readSettings(env), print, async (store) =>
    printed(await store.write((tx) => plantAnswer({ clock: systemClock }, tx, planted)), print),
  );
};

async function draw(
  file: string,
  everyText: string,
  env: Environment,
  print: Print,
): Promise<ExitCode | undefined> {
  const every = Number(everyText);
  if (!Number.isInteger(every) || every < 1 || every > 1_000) return undefined;
  const bank = await readBank(file, print);
  if (bank === undefined) return 2;
  return inDatabase(readSettings(env), print, async (store) => {
    const seen = await store.read((db) => judgedTasks(db, SEEN_MAX));
    const real = seen.filter(({ isPlanted }) => !isPlanted);
    const used = new Set(seen.filter(({ isPlanted }) => isPlanted).map(({ title }) => title));
    const unused = bank.filter(({ title }) => !used.has(title));
    const random = (): number => randomInt(RANDOM_STEPS) / RANDOM_STEPS;
    const drawn = drawPlant(random, real, { bank: unused, every });
    if (drawn === undefined) {
      const why =
        real.length < REAL_MIN
          ? `Only ${real.length} judged tasks are known; a planted task looks like one of at least ${REAL_MIN}.`
          : `Every case of ${file} was planted already; add new ones.`;
      print(`${why}\n`);
      return 1;
    }
    print(`${JSON.stringify(orderOf(drawn), null, 2)}\n`);
    return 0;
  });
}

/** The calls of the operator's ordinary accounts, and when they are due. */
function orderOf({ item, like, publishAfterSeconds }: Plant) {
  const publishAt = systemClock.now() + publishAfterSeconds * 1_000;
  const { title, description, input, result, answer } = item;
  return {
    publishAt: iso(instant(publishAt)),
    requesterLike: { ageSeconds: like.requesterAgeSeconds, earlierTasks: like.requesterTasks },
    publish: {
      title,
      description,
      input,
      verification: 'validator',
      ...(like.rewardAtomic > 0 && { rewardAmount: `${like.rewardAtomic}`, network: like.network }),
      mode: like.mode,
      maxAttempts: like.maxAttempts,
      disputeWindowSeconds: like.disputeWindowSeconds,
      autoAcceptSeconds: like.autoAcceptSeconds,
      requiredSkills: like.requiredSkills,
      deadline: iso(instant(publishAt + like.deadlineSeconds * 1_000)),
    },
    deliverAfterSeconds: like.workSeconds,
    result,
    answer,
  };
}

async function check(env: Environment, print: Print): Promise<ExitCode> {
  return inDatabase(readSettings(env), print, async (store) => {
    const seen = await store.read((db) => judgedTasks(db, SEEN_MAX));
    const planted = seen.filter(({ isPlanted }) => isPlanted);
    const real = seen.filter(({ isPlanted }) => !isPlanted);
    if (planted.length === 0 || real.length === 0) {
      print('There are no planted tasks beside real ones to compare.\n');
      return 1;
    }
    const compared = comparePlants(planted, real);
    for (const { feature, distance, limit } of compared) {
      const word = distance > limit ? 'DIFFERS' : 'same';
      print(
        `${word.padEnd(6)} ${feature.padEnd(28)} ${distance.toFixed(3)} of ${limit.toFixed(3)}\n`,
      );
    }
    return compared.some(({ distance, limit }) => distance > limit) ? 1 : 0;
  });
}

async function readBank(file: string, print: Print): Promise<readonly BankItem[] | undefined> {
  const parsed = parseJson(await readFile(file), Infinity);
  const items: readonly unknown[] = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [];
  const bank = items.filter(isBankItem);
  if (bank.length > 0 && bank.length === items.length) return bank;
  print(
    `${file}: write a list of {title, description, result, answer} with answer "accepted" or "rejected"; input is optional\n`,
  );
  return undefined;
}

function isBankItem(value: unknown): value is BankItem {
  if (!isObject(value)) return false;
  const { title, description, input, answer } = value;
  return (
    typeof title === 'string' &&
    typeof description === 'string' &&
    'result' in value &&
    (input === undefined || isObject(input)) &&
    (answer === 'accepted' || answer === 'rejected')
  );
}
