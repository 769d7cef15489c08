import { unwrap, type Hub } from '../../typescript/index.ts';
import { usdc } from '../format.ts';
import { useLoad, useSettled } from '../load.ts';
import { go } from '../navigation.ts';
import { Choice, Field, SureForm } from '../parts/fields.tsx';
import { Section } from '../parts/shown.tsx';
import { pathTo } from '../routes.ts';
import { reader, useFormDraft } from '../session.ts';
import { marketTexts as M } from '../texts/markets.ts';

const EMPTY = { question: '', source: '', seconds: '86400' };
const TYPING_MS = 400;
const QUESTION_MIN = 10;

/** A question to bet on; its wording is read while one types as a judge would read it. */
export function NewMarket({ hub }: { readonly hub: Hub }) {
  const [draft, change, clear] = useFormDraft('market', EMPTY);
  const { question, source, seconds } = draft;
  const isWhole = question.trim().length >= QUESTION_MIN && source.trim() !== '';
  const asked = useSettled(isWhole ? JSON.stringify(draft) : '', TYPING_MS);
  const rehearsal = useLoad(`market ${asked}`, async (signal) => {
    if (asked === '') return undefined;
    const body = termsOf(JSON.parse(asked) as typeof EMPTY);
    return unwrap(
      await reader.POST('/api/v1/games/predictions/markets/rehearse', { body, signal }),
    );
  });
  const list = async (): Promise<void> => {
    const body = termsOf({ question, source, seconds });
    const { id } = unwrap(await hub.POST('/api/v1/games/predictions/markets', { body }));
    clear();
    go(pathTo(`markets/${id}`));
  };
  const fee = rehearsal.value?.listingFee;
  return (
    <Section title={M.open} lead={M.openLead}>
      <SureForm
        label={M.list}
        question={M.fee(`${usdc(fee ?? '0')} USDC`)}
        yes={M.yes}
        isOff={!isWhole || fee === undefined}
        work={list}
      >
        <Field
          label={M.question}
          value={question}
          onInput={(text) => change({ question: text })}
          hint={M.questionHint}
          rows={2}
        />
        <Field
          label={M.source}
          value={source}
          onInput={(text) => change({ source: text })}
          hint={M.sourceHint}
        />
        <Choice
          label={M.closesIn}
          value={seconds}
          options={M.closings}
          onChange={(text) => change({ seconds: text })}
        />
        <div role="status">
          {rehearsal.value !== undefined && <Advice advice={rehearsal.value.advice} />}
        </div>
      </SureForm>
    </Section>
  );
}

function termsOf({ question, source, seconds }: typeof EMPTY) {
  const closesAt = new Date(Date.now() + Number(seconds) * 1000).toISOString();
  return { question: question.trim(), source: source.trim(), closesAt };
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
