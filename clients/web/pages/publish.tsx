import { useState } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { unitsOf, usdc } from '../format.ts';
import { useHouse } from '../house.ts';
import { go } from '../navigation.ts';
import { AmountField, Choice, Field, SureForm } from '../parts/fields.tsx';
import { Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useWallet, type Wallet } from '../publish/wallet.ts';
import { ruleOf } from '../publish/conditions.ts';
import { EMPTY_DRAFT, faultOf, isDivided, requestOf, type TaskDraft } from '../publish/draft.ts';
import { FilesField, stored } from '../publish/filesField.tsx';
import { Rehearsal } from '../publish/rehearsal.tsx';
import { RuleBuilder } from '../publish/ruleBuilder.tsx';
import { Shares } from '../publish/shares.tsx';
import { pathTo } from '../routes.ts';
import { useFormDraft, useSender, useSession, type Sender } from '../session.ts';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';
import { workTexts } from '../texts/work.ts';
import { publishTexts as P } from '../texts/publish.ts';

export function Publish() {
  const sender = useSender();
  const isGuest = useSession().state !== 'open';
  return (
    <>
      <p class="crumbs">
        <a href={pathTo('work')}>{T.pages.work}</a>
      </p>
      <h1>{P.title}</h1>
      <p class="lead">{P.lead}</p>
      {sender !== undefined ? (
        <Open hub={sender.hub} account={sender.account} isGuest={isGuest} />
      ) : (
        <Section title={accountTexts.account.none}>
          <MakeKey />
        </Section>
      )}
    </>
  );
}

function Open({ hub, account, isGuest }: Sender & { readonly isGuest: boolean }) {
  const wallet = useWallet({ hub, account }, isGuest);
  return <With of={wallet}>{(own) => <Writing hub={hub} account={account} wallet={own} />}</With>;
}

interface WritingProps {
  readonly hub: Hub;
  readonly account: string;
  readonly wallet: Wallet;
}

export function Writing({ hub, account, wallet }: WritingProps) {
  const [draft, change, clear] = useFormDraft('publish', EMPTY_DRAFT);
  const [files, setFiles] = useState<readonly File[]>([]);
  const { rule, faults } = ruleOf(draft.conditions);
  const fault = faultOf(draft);
  const units = unitsOf(draft.reward);
  const press = usePress(hub, {
    form: 'publish',
    what: P.publishOf(draft.title),
    work: async (once) => {
      const named = files.length === 0 ? {} : { files: await stored(hub, files) };
      const body = { ...requestOf(draft, account, wallet.network, Date.now()), ...named };
      const { id } = unwrap(await once.POST('/api/v1/tasks', { body }));
      clear();
      go(pathTo(`work/${id}`));
    },
  });
  const question =
    units === undefined ? P.questionUnpaid : P.question(`${usdc(units)} ${T.unit(wallet.network)}`);
  return (
    <div class="columns2">
      <div>
        <What draft={draft} change={change} />
        <FilesField files={files} onChange={setFiles} />
        <Section title={P.rule} lead={P.ruleLead}>
          <RuleBuilder
            conditions={draft.conditions}
            faults={faults}
            onChange={(conditions) => change({ conditions })}
          />
        </Section>
      </div>
      <div>
        {draft.conditions.length > 0 && (
          <Section title={P.rehearse} lead={P.rehearseLead}>
            <Rehearsal rule={rule} samples={draft} onChange={change} />
          </Section>
        )}
        <Section title={P.deal}>
          <SureForm
            isMain
            label={P.publish}
            question={question}
            yes={P.yes}
            isOff={fault !== undefined}
            press={press}
          >
            <Deal draft={draft} change={change} spendable={usdc(wallet.spendable)} />
            {fault !== undefined && isBegun(draft) && <p class="quiet">{P.lacks[fault]}</p>}
          </SureForm>
        </Section>
      </div>
    </div>
  );
}

/** Before the first letter nothing can be wrong. */
const isBegun = (draft: TaskDraft): boolean =>
  JSON.stringify(draft) !== JSON.stringify(EMPTY_DRAFT);

interface PartProps {
  readonly draft: TaskDraft;
  readonly change: (change: Partial<TaskDraft>) => void;
}

const MORE = ['input', 'skills', 'tags', 'target'] as const;

function What({ draft, change }: PartProps) {
  return (
    <Section title={P.what}>
      <Field
        label={P.name}
        of="body.title"
        value={draft.title}
        onInput={(title) => change({ title })}
        hint={P.nameHint}
      />
      <Field
        label={P.description}
        of="body.description"
        value={draft.description}
        onInput={(description) => change({ description })}
        hint={P.descriptionHint}
        rows={5}
      />
      <AskHouse draft={draft} change={change} />
      <details>
        <summary>{P.more}</summary>
        {MORE.map((name) => (
          <Field
            key={name}
            label={P[name]}
            value={draft[name]}
            onInput={(text) => change({ [name]: text })}
            hint={P[`${name}Hint`]}
            {...(name === 'input' && { rows: 2 })}
          />
        ))}
      </details>
    </Section>
  );
}

const HOUSE_TAG = 'try';

/** On a sandbox a scripted worker takes what has its tag, so that one person can hire alone. */
function AskHouse({ draft, change }: PartProps) {
  const hasHouse = useHouse();
  if (!hasHouse) return null;
  const tags = draft.tags.split(',').map((tag) => tag.trim());
  const isAsked = tags.includes(HOUSE_TAG);
  const others = tags.filter((tag) => tag !== HOUSE_TAG && tag !== '');
  const toggle = (): void =>
    change({ tags: (isAsked ? others : [...others, HOUSE_TAG]).join(', ') });
  return (
    <p class="quiet">
      {P.house}{' '}
      <button type="button" class="small" aria-pressed={isAsked} onClick={toggle}>
        {P.askHouse}
      </button>
    </p>
  );
}

function Deal({ draft, change, spendable }: PartProps & { readonly spendable: string }) {
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
      <details>
        <summary>{P.moreDeal}</summary>
        <Choice
          label={P.attempts}
          value={draft.attempts}
          options={ATTEMPTS}
          onChange={(attempts) => change({ attempts })}
        />
        {(isDivided(draft) ? LASTS : SPANS).map((name) => (
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

/** Several winners are paid at once, so no other window runs. */
const LASTS = ['lasts'] as const;
const SPANS = ['silence', 'disputeWindow', 'lasts'] as const;

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
