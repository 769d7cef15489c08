import fc from 'fast-check';
import { sharedPostgres } from '../../harness/databases.ts';
import { at } from '../../harness/must.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { operations, type DeclaredOperation } from '../../harness/contract.ts';
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
import { openFuzzFixture, type FuzzFixture } from './fixture.ts';

/**
 * Every operation of the document, asked in every way that the document knows: rightly, with one
 * broken field, and without authority. `FUZZ_SEED` repeats a run, `FUZZ_RUNS` lengthens it,
 * `FUZZ_AREAS=tasks,wallet` asks these areas alone, and `FUZZ_DATABASE=postgres` runs it there.
 */
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const RUNS = LENGTHS.fuzzRuns;
const AREAS = (process.env['FUZZ_AREAS'] ?? '').split(',').filter((area) => area !== '');
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
  let fixture: FuzzFixture;
  before(async () => {
    const postgres = DATABASE === 'postgres' ? await sharedPostgres() : undefined;
    fixture = await openFuzzFixture(await postgres?.freshDatabase());
  });
  after(() => fixture.world.close());

  for (const operation of operations.filter(isWanted)) {
    describe(operation.operationId, () => {
      if (operation.raw['x-auth'] === 'api-key') {
        it('refuses a caller without a key', () => asksForKey(fixture, operation));
        return;
      }
      it('takes what the document takes', () => takesValid(fixture, operation));
      it('names the one broken field', () => namesBroken(fixture, operation));
      if (operation.raw['x-auth'] !== 'signed') return;
      for (const [guarantee, check] of REFUSALS) {
        it(guarantee, () => check(wholeOf(fixture, operation)));
      }
    });
  }
});

function isWanted({ operationId }: DeclaredOperation): boolean {
  return AREAS.length === 0 || AREAS.includes(operationId.split('.')[0] ?? '');
}

function requestOf(asked: Asked): Promise<Request> {
  const { operation, fixture, whole } = asked;
  const auth = operation.raw['x-auth'];
  // Who names an account or a key of their own signs, where a signature is a choice.
  const isNamed = operation.raw['x-owner'] !== undefined || at(whole.body, 'keyId') !== undefined;
  const signs = auth === 'signed' || (auth === 'optional' && isNamed);
  return signs ? signedAs(fixture.alice, asked) : Promise.resolve(asVisitor(asked));
}

async function takesValid(fixture: FuzzFixture, operation: DeclaredOperation): Promise<void> {
  const cases = casesOf(operation, fixture.around, 'some');
  const property = fc.asyncProperty(cases, async (whole: Case) => {
    const request = await requestOf({ fixture, operation, whole });
    await positiveDataAcceptance(await send(operation, request));
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
}

async function namesBroken(fixture: FuzzFixture, operation: DeclaredOperation): Promise<void> {
  const { whole } = wholeOf(fixture, operation);
  for (const fault of broken(operation, whole)) {
    const request = await requestOf({ fixture, operation, whole: fault.broken });
    await negativeDataRejection(await send(operation, request), fault);
  }
}

async function asksForKey(fixture: FuzzFixture, operation: DeclaredOperation): Promise<void> {
  const what = await send(operation, asVisitor(wholeOf(fixture, operation)));
  await ignoredKey(what);
}

/** One request with every optional field, the same in every run of a seed. */
function wholeOf(fixture: FuzzFixture, operation: DeclaredOperation): Asked {
  const [whole] = fc.sample(casesOf(operation, fixture.around, 'all'), { seed: SEED, numRuns: 1 });
  if (whole === undefined) throw new Error(`${operation.operationId} has no request`);
  return { fixture, operation, whole };
}
