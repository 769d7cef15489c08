import { AmountField, Choice, Field } from '../parts/fields.tsx';
import { publishTexts as P } from '../texts/publish.ts';
import { workTexts } from '../texts/work.ts';
import { accountsOf, isDivided, type TaskDraft } from './draft.ts';
import { Shares } from './shares.tsx';

interface PartProps {
  readonly draft: TaskDraft;
  readonly change: (change: Partial<TaskDraft>) => void;
}

interface DealProps extends PartProps {
  readonly spendable: string;
}

/** Who decides, who may work, for how long, and what it pays. */
export function Deal({ draft, change, spendable }: DealProps) {
  return (
    <>
      <AmountField
        label={P.reward}
        of="body.rewardAmount"
        value={draft.reward}
        onInput={(reward) => change({ reward })}
        hint={P.rewardHint(spendable)}
      />
      <Choice
        label={P.verification}
        value={draft.verification}
        options={(['requester', 'automatic', 'validator'] as const).map(
          (name) => [name, workTexts.task.decidedBy[name]] as const,
        )}
        onChange={(verification) =>
          change({ verification: verification as TaskDraft['verification'] })
        }
      />
      {draft.verification === 'validator' && (
        <Choice
          label={P.reliability}
          value={draft.reliability}
          options={P.reliabilities}
          onChange={(reliability) => change({ reliability })}
        />
      )}
      <Choice
        label={P.mode}
        value={draft.mode}
        options={(['exclusive', 'open', 'pitch'] as const).map(
          (name) => [name, workTexts.work.modes[name]] as const,
        )}
        onChange={(mode) => change({ mode: mode as TaskDraft['mode'] })}
      />
      {draft.mode === 'open' ? (
        <WinnersOf draft={draft} change={change} />
      ) : (
        <Choice
          label={P.audience}
          value={draft.audience}
          options={P.audiences}
          onChange={(audience) => change({ audience })}
        />
      )}
      {draft.mode === 'exclusive' && <OfferedTo draft={draft} change={change} />}
      <details>
        <summary>{P.moreDeal}</summary>
        <Choice
          label={P.attempts}
          value={draft.attempts}
          options={ATTEMPTS}
          onChange={(attempts) => change({ attempts })}
        />
        {spansOf(draft).map((name) => (
          <Choice
            key={name}
            label={P[name]}
            value={draft[name]}
            options={P.spans[name]}
            onChange={(seconds) => change({ [name]: seconds })}
          />
        ))}
      </details>
      {!isDivided(draft) && <Shares reward={draft.reward} verification={draft.verification} />}
    </>
  );
}

/** Several winners are paid at once, so no other window runs; a lease is of one worker. */
function spansOf(draft: TaskDraft) {
  if (isDivided(draft)) return ['lasts'] as const;
  const all = ['silence', 'disputeWindow', 'lasts'] as const;
  return draft.mode === 'open' ? all : ([...all, 'lease', 'renew'] as const);
}

/** Named accounts may claim the task before others do. */
function OfferedTo({ draft, change }: PartProps) {
  return (
    <>
      <Field
        label={P.offeredTo}
        of="body.offeredTo"
        value={draft.offeredTo}
        onInput={(offeredTo) => change({ offeredTo })}
        hint={P.offeredToHint}
      />
      {accountsOf(draft.offeredTo).length > 0 &&
        (['offeredFor', 'offeredThen'] as const).map((name) => (
          <Choice
            key={name}
            label={P[name]}
            value={draft[name]}
            options={P.offers[name]}
            onChange={(chosen) => change({ [name]: chosen })}
          />
        ))}
    </>
  );
}

/** Whether one result of an open task wins all, or several divide its reward. */
function WinnersOf({ draft, change }: PartProps) {
  return (
    <>
      <Choice
        label={P.winners}
        value={draft.winners}
        options={P.winnersOf}
        onChange={(winners) => change({ winners: winners as TaskDraft['winners'] })}
      />
      {draft.winners === 'places' && (
        <Field
          label={P.places}
          value={draft.places}
          onInput={(places) => change({ places })}
          hint={P.placesHint}
        />
      )}
      {draft.winners !== 'one' && <p class="quiet">{P.winnersTerms}</p>}
    </>
  );
}

const ATTEMPTS = Array.from({ length: 10 }, (_, n) => [`${n + 1}`, `${n + 1}`] as const);
