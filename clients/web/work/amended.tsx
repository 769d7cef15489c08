import { span, usdc } from '../format.ts';
import { Stranger, Time } from '../parts/shown.tsx';
import { T } from '../texts.ts';
import { termsTexts as X } from '../texts/terms.ts';
import type { Task } from '../types.ts';

type Amendment = NonNullable<Task['amendments']>[number];

interface DescribedProps {
  readonly amendment: Pick<Amendment, 'change' | 'split'>;
  readonly network: string;
}

/** In words what becomes of the terms; a clarification is the text of its author. */
export function Described({ amendment: { change = {}, split }, network }: DescribedProps) {
  const money = (units: string): string => `${usdc(units)} ${T.unit(network)}`;
  const { rewardAmount, deadline, leaseSeconds, renewForSeconds, clarification } = change;
  const words = [
    ...(split === undefined
      ? []
      : [X.words.split(money(split.workerAmount), money(split.refundAmount))]),
    ...(rewardAmount === undefined ? [] : [X.words.reward(money(rewardAmount))]),
    ...(leaseSeconds === undefined ? [] : [X.words.lease(span(leaseSeconds))]),
    ...(renewForSeconds === undefined ? [] : [X.words.renew(span(renewForSeconds))]),
    ...(clarification === undefined ? [] : [X.words.clarification]),
  ];
  return (
    <>
      <p>
        {words.join(', ')}
        {deadline !== undefined && (
          <>
            {X.words.deadline} <Time at={deadline} />
          </>
        )}
      </p>
      {clarification !== undefined && <Stranger text={clarification} />}
    </>
  );
}
