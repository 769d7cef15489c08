import fc from 'fast-check';
import { sharedPostgres } from '../harness/databases.ts';
import { at } from '../harness/must.ts';
import { LENGTHS } from '../harness/lengths.ts';
import { operations, type DeclaredOperation } from '../harness/contract.ts';
import {
  asVisitor,
  refusesMoved,
  refusesOtherOwner,
  refusesReplay,
  refusesStale,
  refusesUnsigned,
  signedAs,
  type Asked,
} from './authority.ts';
import { broken } from './broken.ts';
import { ignoredKey, negativeDataRejection, positiveDataAcceptance, send } from './checks.ts';
import { casesOf, type Case } from './generate.ts';
import { isBuilt, openTown, type Town } from './town.ts';

/**
 * Every operation of the document, asked in every way that the document knows: rightly, with one
 * broken field, and without authority. `FUZZ_SEED` repeats a run, `FUZZ_RUNS` lengthens it, and
 * `FUZZ_DATABASE=postgres` runs it there.
 */
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const RUNS = LENGTHS.fuzzRuns;
const DATABASE = process.env['FUZZ_DATABASE'] ?? 'sqlite';

const REFUSALS: readonly (readonly [string, (asked: Asked) => Promise<void>])[] = [
  ['refuses the unsigned', refusesUnsigned],
  ['refuses a signature that was moved', refusesMoved],
  ['refuses a replay', refusesReplay],
  ['refuses a signature out of its window', refusesStale],
  ['refuses another owner', refusesOtherOwner],
];

describe(`every operation (FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS})`, function suite() {
  this.timeout(120_000);
  let town: Town;
  before(async () => {
    const postgres = DATABASE === 'postgres' ? await sharedPostgres() : undefined;
    town = await openTown(await postgres?.freshDatabase());
  });
  after(() => town.world.close());

  for (const operation of operations) {
    describe(operation.operationId, () => {
      if (operation.raw['x-auth'] === 'api-key') {
        it('refuses a caller without a key', () => asksForKey(town, operation));
        return;
      }
      it('takes what the document takes', () => takesValid(town, operation));
      it('names the one broken field', () => namesBroken(town, operation));
      if (operation.raw['x-auth'] !== 'signed') return;
      for (const [guarantee, check] of REFUSALS) {
        it(guarantee, () => check(wholeOf(town, operation)));
      }
    });
  }
});

function requestOf(asked: Asked): Promise<Request> {
  const { operation, town, whole } = asked;
  const auth = operation.raw['x-auth'];
  // Who names an account or a key of their own signs, where a signature is a choice.
  const isNamed = operation.raw['x-owner'] !== undefined || at(whole.body, 'keyId') !== undefined;
  const signs = auth === 'signed' || (auth === 'optional' && isNamed);
  return signs ? signedAs(town.alice, asked) : Promise.resolve(asVisitor(asked));
}

async function takesValid(town: Town, operation: DeclaredOperation): Promise<void> {
  const cases = casesOf(operation, town.around, 'some');
  const property = fc.asyncProperty(cases, async (whole: Case) => {
    const request = await requestOf({ town, operation, whole });
    await positiveDataAcceptance(await send(operation, request), !isBuilt(operation.operationId));
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
}

async function namesBroken(town: Town, operation: DeclaredOperation): Promise<void> {
  const { whole } = wholeOf(town, operation);
  for (const fault of broken(operation, whole)) {
    const request = await requestOf({ town, operation, whole: fault.broken });
    await negativeDataRejection(await send(operation, request), fault);
  }
}

async function asksForKey(town: Town, operation: DeclaredOperation): Promise<void> {
  const what = await send(operation, asVisitor(wholeOf(town, operation)));
  if (isBuilt(operation.operationId)) await ignoredKey(what);
  else await positiveDataAcceptance(what, true);
}

/** One request with every optional field, the same in every run of a seed. */
function wholeOf(town: Town, operation: DeclaredOperation): Asked {
  const [whole] = fc.sample(casesOf(operation, town.around, 'all'), { seed: SEED, numRuns: 1 });
  if (whole === undefined) throw new Error(`${operation.operationId} has no request`);
  return { town, operation, whole };
}
