import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { shortAccount, usdc } from '../format.ts';
import { Choice, Field, SureForm } from '../parts/fields.tsx';
import { usePress } from '../press.ts';
import { pointsOf } from '../publish/shares.ts';
import { T } from '../texts.ts';
import { taskTexts } from '../texts/task.ts';
import type { Task } from '../types.ts';

const W = taskTexts.winners;

interface WinnersProps {
  readonly task: Task;
  readonly hub: Hub;
  readonly own: string;
  readonly changed: () => void;
}

interface Named {
  readonly solutionId: string;
  readonly bps?: number;
}

export function WinnersForm({ task, hub, own, changed }: WinnersProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const waiting = task.workers.filter(({ state }) => state === 'waiting');
  const { places } = task.shares ?? {};
  const set = (name: string) => (text: string) => setTexts({ ...texts, [name]: text });
  const winners = places === undefined ? bySplit(waiting, texts) : byPlace(places.length, texts);
  const results = waiting.map(({ id, worker }) => [id, shortAccount(worker)] as const);
  const { reward } = task;
  const amount = reward && `${usdc(reward.amount)} ${T.unit(reward.network)}`;
  const press = usePress(hub, {
    form: `winners ${task.id}`,
    what: W.awardOf(amount ?? ''),
    work: async (once) => {
      const params = { path: { id: task.id } };
      const body = { requester: own, winners: [...winners] };
      unwrap(await once.POST('/api/v1/tasks/{id}/accept', { params, body }));
      changed();
    },
  });
  return (
    <SureForm
      isMain
      label={W.label}
      question={W.question(winners.length, amount ?? '')}
      yes={W.yes}
      isOff={winners.length === 0}
      press={press}
    >
      <p>{places === undefined ? W.splitLead : W.placesLead}</p>
      {places?.map(({ place, worker }) => (
        <Choice
          key={place}
          label={W.place(place, usdc(worker))}
          value={texts[place] ?? ''}
          options={[['', W.none], ...results]}
          onChange={set(String(place))}
        />
      ))}
      {places === undefined &&
        results.map(([id, name]) => (
          <Field
            key={id}
            label={W.percentOf(name)}
            mode="decimal"
            value={texts[id] ?? ''}
            onInput={set(id)}
          />
        ))}
    </SureForm>
  );
}

type Texts = Readonly<Record<string, string>>;

function byPlace(count: number, texts: Texts): readonly Named[] {
  return Array.from({ length: count }, (_, nth) => texts[nth + 1] ?? '')
    .filter((solutionId) => solutionId !== '')
    .map((solutionId) => ({ solutionId }));
}

/** The largest part is the first place. */
function bySplit(waiting: Task['workers'], texts: Texts): readonly Named[] {
  return waiting
    .flatMap(({ id: solutionId }) => {
      const bps = pointsOf(texts[solutionId] ?? '');
      return bps === undefined ? [] : [{ solutionId, bps }];
    })
    .sort((a, b) => b.bps - a.bps);
}
