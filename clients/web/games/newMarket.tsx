import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { usdc } from '../format.ts';
import { useLoad, useSettled } from '../load.ts';
import { go } from '../navigation.ts';
import { Choice, Field, SureForm } from '../parts/fields.tsx';
import { Fold } from '../parts/fold.tsx';
import { pathTo } from '../routes.ts';
import { usePress } from '../press.ts';
import { reader, useFormDraft } from '../session.ts';
import { marketTexts as M } from '../texts/markets.ts';
import { EMPTY, isMoney, termsOf, type Draft } from './terms.ts';

const TYPING_MS = 400;

/** A press that is finished sends what was stored, not what is typed now. */
const NOTHING = { question: '', source: '', closesAt: '' };

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (fields: Partial<Draft>) => void;
}

/** A question to bet on; while a person types, the hub checks the wording as a judge would read it. */
export function NewMarket({ hub, hasHouse }: { readonly hub: Hub; readonly hasHouse: boolean }) {
  const [draft, change, clear] = useFormDraft('market', EMPTY);
  const isWhole = termsOf(draft, 0) !== undefined;
  const asked = useSettled(isWhole ? JSON.stringify(draft) : '', TYPING_MS);
  const rehearsal = useLoad(`market ${asked}`, async (signal) => {
    const body = asked === '' ? undefined : termsOf(JSON.parse(asked) as Draft, Date.now());
    if (body === undefined) return undefined;
    return unwrap(
      await reader.POST('/api/v1/games/predictions/markets/rehearse', { body, signal }),
    );
  });
  const fee = rehearsal.value?.listingFee;
  const press = usePress(hub, {
    form: 'list a market',
    what: M.marketOf(draft.question),
    work: async (once) => {
      const body = termsOf(draft, Date.now()) ?? NOTHING;
      const { id } = unwrap(await once.POST('/api/v1/games/predictions/markets', { body }));
      clear();
      go(pathTo(`markets/${id}`));
    },
  });
  const judges = Object.entries(M.decides).filter(([name]) => name !== 'house' || hasHouse);
  return (
    <Fold title={M.open} lead={M.openLead}>
      <SureForm
        label={M.list}
        question={M.fee(`${usdc(fee ?? '0')} USDC`)}
        yes={M.yes}
        isOff={!isWhole || fee === undefined}
        press={press}
      >
        <Choice
          label={M.decidesLabel}
          value={draft.decides}
          options={judges}
          onChange={(decides) => change({ decides })}
        />
        {draft.decides === 'check' ? (
          <NumberFields draft={draft} change={change} />
        ) : (
          <WordFields draft={draft} change={change} />
        )}
        <Choice
          label={M.closesIn}
          value={draft.seconds}
          options={M.closings}
          onChange={(seconds) => change({ seconds })}
        />
        <div role="status">
          {draft.decides === 'judge' && rehearsal.value !== undefined && (
            <Advice advice={rehearsal.value.advice} />
          )}
        </div>
      </SureForm>
    </Fold>
  );
}

function WordFields({ draft, change }: FieldsProps) {
  return (
    <>
      <Field
        label={M.question}
        of="body.question"
        value={draft.question}
        onInput={(question) => change({ question })}
        hint={M.questionHint}
        rows={2}
      />
      {draft.decides === 'house' ? (
        <Choice
          label={M.houseOutcome}
          value={draft.outcome}
          options={Object.entries(M.houseOutcomes)}
          onChange={(outcome) => change({ outcome })}
        />
      ) : (
        <Field
          label={M.source}
          of="body.source"
          value={draft.source}
          onInput={(source) => change({ source })}
          hint={M.sourceHint}
        />
      )}
    </>
  );
}

function NumberFields({ draft, change }: FieldsProps) {
  const terms = termsOf(draft, 0);
  return (
    <>
      <Choice
        label={M.metric}
        value={draft.metric}
        options={Object.entries(M.metrics)}
        onChange={(metric) => change({ metric })}
      />
      <div class="filters">
        <Choice
          label={M.op}
          value={draft.op}
          options={Object.entries(M.ops)}
          onChange={(op) => change({ op })}
        />
        <Field
          label={isMoney(draft.metric) ? M.limitMoney : M.limit}
          value={draft.value}
          onInput={(value) => change({ value })}
          mode="decimal"
        />
      </div>
      {terms !== undefined && <p class="untrusted">{terms.question}</p>}
    </>
  );
}

interface AdviceProps {
  readonly advice: readonly {
    readonly concern: string;
    readonly says: string;
    readonly marketId?: string;
  }[];
}

function Advice({ advice }: AdviceProps) {
  if (advice.length === 0) return <p class="quiet">{M.noAdvice}</p>;
  return (
    <>
      <p class="quiet">{M.advice}</p>
      <ul class="quiet">
        {advice.map(({ concern, says, marketId }) => (
          <li key={concern + says}>
            {says}{' '}
            {marketId !== undefined && <a href={pathTo(`markets/${marketId}`)}>{M.lookAlike}</a>}
          </li>
        ))}
      </ul>
    </>
  );
}
