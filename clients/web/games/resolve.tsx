import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { Choice, Field, SureForm } from '../parts/fields.tsx';
import { Section } from '../parts/shown.tsx';
import { usePress } from '../press.ts';
import { useDraft } from '../session.ts';
import { moreTexts } from '../texts/more.ts';
import { marketTexts as M } from '../texts/markets.ts';

const OUTCOMES = ['yes', 'no', 'void'] as const;
type Outcome = (typeof OUTCOMES)[number];

interface ResolveProps {
  readonly id: string;
  readonly hub: Hub;
  readonly done: () => void;
}

export function Resolve({ id, hub, done }: ResolveProps) {
  const [outcome, setOutcome] = useState<Outcome>('yes');
  const [evidence, setEvidence] = useDraft(`evidence ${id}`);
  const press = usePress(hub, {
    form: `resolve ${id}`,
    what: M.resolveOf(moreTexts.games.outcomes[outcome]),
    work: async (once) => {
      const params = { path: { id } };
      const body = { outcome, ...(evidence !== '' && { evidence }) };
      unwrap(await once.POST('/api/v1/games/predictions/markets/{id}/resolve', { params, body }));
      setEvidence('');
      done();
    },
  });
  return (
    <Section title={M.resolve} lead={M.resolveLead}>
      <SureForm
        isMain
        label={M.resolve}
        question={M.resolveQuestion(moreTexts.games.outcomes[outcome])}
        yes={M.resolveYes}
        isOff={false}
        press={press}
      >
        <Choice
          label={M.theOutcome}
          value={outcome}
          options={OUTCOMES.map((name) => [name, moreTexts.games.outcomes[name]] as const)}
          onChange={(name) => setOutcome(name as Outcome)}
        />
        <Field
          label={M.evidenceField}
          of="body.evidence"
          value={evidence}
          onInput={setEvidence}
          rows={2}
        />
      </SureForm>
    </Section>
  );
}
