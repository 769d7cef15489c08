import { shareOf, unitsOf, usdc } from '../format.ts';
import { Split } from '../parts/plots.tsx';
import { publishTexts as P } from '../texts/publish.ts';
import type { TaskDraft } from './draft.ts';
import { splitOf } from './split.ts';

/** The reward as a bar of what each party gets, before anything is published. */
export function Shares({ reward, verification }: Pick<TaskDraft, 'reward' | 'verification'>) {
  const units = unitsOf(reward);
  if (units === undefined || units === '0') return null;
  const split = splitOf(units, verification);
  return (
    <>
      <h3>{P.shares}</h3>
      <Split
        title={P.shares}
        parts={(['worker', 'hub', 'judges'] as const)
          .filter((part) => split[part] !== '0')
          .map((part) => ({
            label: P.parts[part],
            share: shareOf(split[part], units),
            text: usdc(split[part]),
          }))}
      />
      <p class="quiet">{P.sharesTerms}</p>
    </>
  );
}
