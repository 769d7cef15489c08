import type { Operation } from './model/operations.ts';
import { CONDUCTS, type Conduct } from './model/types.ts';
import { anyone, FIRST_JUDGE, key } from './fixture.ts';
import type { SimulationFixture } from './fixture.ts';

/** Judges: who takes a seat, who leaves it, and who is honest. */
const STAKES = [0n, 999n, 1_000n, 200_000n, 1_000_000n, 9_000_000n, 20_000_000n];
const SILENT: readonly Conduct[] = ['closed', 'broken', 'rubbish', 'shy'];
const LEAST_FEES = [0, 20, 21, 33, 34, 100];

export function seat(fixture: SimulationFixture): Operation {
  const { random } = fixture;
  return {
    do: 'seat',
    by: judge(fixture),
    ...(random.chance(85) && { stake: random.pick(STAKES) }),
    ...(random.chance(20) && { isForAll: true }),
    ...(random.chance(25) && { minFeeBps: random.pick(LEAST_FEES) }),
    ...key(random),
  };
}

export function resign(fixture: SimulationFixture): Operation {
  const by = fixture.random.chance(90) ? judge(fixture) : anyone(fixture);
  return { do: 'resign', by, ...key(fixture.random) };
}

/** Half of the judges are honest at a time; who is silent is often so to synthetic cases too. */
export function behave(fixture: SimulationFixture): Operation {
  const { random } = fixture;
  const conduct = random.chance(50) ? 'honest' : random.pick(CONDUCTS);
  const isProbedWell = random.chance(SILENT.includes(conduct) ? 40 : 80);
  return { do: 'behave', by: judge(fixture), conduct, isProbedWell };
}

function judge({ model, random }: SimulationFixture): number {
  return FIRST_JUDGE + random.below(model.agents.length - FIRST_JUDGE);
}
