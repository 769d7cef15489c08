import { useState } from 'preact/hooks';
import type { components } from '../../../generated/types.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { HUB } from '../hubAddress.ts';
import { useLoad } from '../load.ts';
import { Copyable } from '../parts/copy.tsx';
import { Field, Form, Once, Submit, SureForm } from '../parts/fields.tsx';
import { Badge, Section, Time } from '../parts/shown.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useFormDraft } from '../session.ts';
import { custodyTexts as C } from '../texts/custody.ts';
import {
  BudgetFields,
  budgetOf,
  budgetText,
  ChangeBudget,
  isWrong,
  NO_BUDGET,
} from './apiKeyBudget.tsx';
import type { OwnProps } from './own.ts';
import { defined } from '../../../domain/defined.ts';

type Minted = components['schemas']['ApiKey'];

export function ApiKeys({ hub, account }: OwnProps) {
  const [draft, change, clear] = useFormDraft('api key', { label: '', ...NO_BUDGET });
  const { label } = draft;
  const [minted, setMinted] = useState<Minted>();
  const params = { path: { owner: account } };
  const keys = useLoad(`api keys ${account}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/wallet/{owner}/api-keys', { params, signal })),
  );
  const [isLost, setLost] = useState(false);
  const press = usePress(hub, {
    form: 'mint an api key',
    what: C.apiKeys.mintOf(label),
    work: async (once) => {
      const policy = budgetOf(draft);
      const body = { ...(label !== '' && { label }), ...defined({ policy }) };
      const made = unwrap(await once.POST('/api/v1/wallet/{owner}/api-keys', { params, body }));
      setMinted(made);
      setLost(made.key === undefined);
      clear();
      keys.reload();
    },
  });
  const revoke = async (id: string): Promise<void> => {
    const path = { owner: account, id };
    unwrap(await hub.POST('/api/v1/wallet/{owner}/api-keys/{id}/revoke', { params: { path } }));
    if (minted?.id === id) setMinted(undefined);
    keys.reload();
  };
  return (
    <Section title={C.apiKeys.title} lead={C.apiKeys.lead}>
      {minted?.key !== undefined && (
        <div class="good" role="status">
          <p>{C.apiKeys.once}</p>
          <Copyable text={minted.key} label={C.apiKeys.theKey} />
          <p>{C.apiKeys.door(HUB)}</p>
        </div>
      )}
      <With of={keys}>
        {(list) =>
          list.keys.length === 0 ? (
            <Empty>{C.apiKeys.none}</Empty>
          ) : (
            <ul class="rows">
              {list.keys.map(
                ({ id, hint, label: name = hint, createdAt, revoked, policy = {} }) => (
                  <li key={id}>
                    <p class="meta">
                      <b>{name}</b>
                      <code>{hint}…</code>
                      <Badge tone={revoked ? 'quiet' : 'good'}>
                        {revoked ? C.apiKeys.revoked : C.apiKeys.good}
                      </Badge>
                      <Time at={createdAt} />
                    </p>
                    {!revoked && <p class="quiet">{budgetText(policy)}</p>}
                    {!revoked && (
                      <ChangeBudget
                        key={JSON.stringify(policy)}
                        {...{ hub, account, id, name }}
                        budget={policy}
                        changed={keys.reload}
                      />
                    )}
                    {!revoked && (
                      <SureForm
                        label={C.apiKeys.revoke(name)}
                        question={C.apiKeys.revokeQuestion}
                        yes={C.apiKeys.revokeYes}
                        isOff={false}
                        isDanger
                        work={() => revoke(id)}
                      />
                    )}
                  </li>
                ),
              )}
            </ul>
          )
        }
      </With>
      {isLost && (
        <p class="note" role="status">
          {C.apiKeys.lost}
        </p>
      )}
      <Once press={press}>
        <Form label={C.apiKeys.mint} onSubmit={() => press.run()}>
          <Field
            label={C.apiKeys.label}
            of="body.label"
            value={label}
            onInput={(text) => change({ label: text })}
            hint={C.apiKeys.labelHint}
          />
          <BudgetFields draft={draft} change={change} within="body.policy" />
          <Submit isRunning={press.isRunning} isOff={isWrong(draft)}>
            {C.apiKeys.mint}
          </Submit>
          {press.error !== undefined && <Failure error={press.error} />}
        </Form>
      </Once>
    </Section>
  );
}
