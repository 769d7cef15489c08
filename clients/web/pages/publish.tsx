import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { unitsOf, usdc } from '../format.ts';
import { useHouse } from '../house.ts';
import { go } from '../navigation.ts';
import { AttachmentsField, useAttachments, type Attachments } from '../parts/attachments.tsx';
import { Field, SureForm } from '../parts/fields.tsx';
import { Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useWallet, type Wallet } from '../publish/wallet.ts';
import { ruleOf } from '../publish/conditions.ts';
import { EMPTY_DRAFT, faultOf, requestOf, type TaskDraft } from '../publish/draft.ts';
import { Deal } from '../publish/deal.tsx';
import { Rehearsal } from '../publish/rehearsal.tsx';
import { RuleBuilder } from '../publish/ruleBuilder.tsx';
import { pathTo } from '../routes.ts';
import { useFormDraft, useSender, useSession, type Sender } from '../session.ts';
import { T } from '../texts.ts';
import { accountTexts } from '../texts/account.ts';
import { attachmentTexts } from '../texts/attachments.ts';
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
  const attachments = useAttachments();
  const { rule, faults } = ruleOf(draft.conditions);
  const fault = faultOf(draft);
  const units = unitsOf(draft.reward);
  const press = usePress(hub, {
    form: 'publish',
    what: P.publishOf(draft.title),
    work: async (once, lost) => {
      const files = lost === undefined ? await attachments.store(hub) : [];
      const named = files.length === 0 ? {} : { files: [...files] };
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
        <What draft={draft} change={change} attachments={attachments} />
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

function What({ draft, change, attachments }: PartProps & { readonly attachments: Attachments }) {
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
      <AttachmentsField of={attachments} lead={attachmentTexts.brief} />
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
