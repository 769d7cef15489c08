import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds } from '../format.ts';
import { useAction, useLoad } from '../load.ts';
import { Copyable } from '../parts/copy.tsx';
import { Field, Form, Once, Submit, SureForm } from '../parts/fields.tsx';
import { addressProblem } from '../parts/problems.ts';
import { Badge, Facts, Section, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { useDraft } from '../session.ts';
import { webhookTexts as W } from '../texts/webhooks.ts';
import type { Got } from '../types.ts';
import { Deliveries } from './deliveries.tsx';
import type { OwnProps } from './own.ts';

type Webhook = Got<'/api/v1/me/webhooks'>['webhooks'][number];
type Props = Pick<OwnProps, 'hub' | 'account'>;

const EVERY_MS = 15_000;
export function Webhooks({ hub, account }: Props) {
  const [shown, setShown] = useState<Webhook>();
  const webhooks = useLoad(
    `webhooks ${account}`,
    async (signal) => unwrap(await hub.GET('/api/v1/me/webhooks', { signal })),
    EVERY_MS,
  );
  const changed = (webhook?: Webhook): void => {
    if (webhook?.secret !== undefined) setShown(webhook);
    webhooks.reload();
  };
  return (
    <div class="columns2">
      <Section title={W.title}>
        {shown?.secret !== undefined && (
          <div class="good" role="status">
            <p>{W.once}</p>
            <Copyable text={shown.secret} label={W.secret} />
            <Copyable text={shown.publicKey} label={W.publicKey} />
          </div>
        )}
        <With of={webhooks}>
          {(list) =>
            list.count === 0 ? (
              <Empty>{W.none}</Empty>
            ) : (
              <ul class="rows" aria-label={W.title}>
                {list.webhooks.map((webhook) => (
                  <li key={webhook.id}>
                    <One hub={hub} webhook={webhook} changed={changed} />
                  </li>
                ))}
              </ul>
            )
          }
        </With>
      </Section>
      <Add hub={hub} changed={changed} />
    </div>
  );
}

interface ActProps extends Pick<OwnProps, 'hub'> {
  readonly changed: (webhook?: Webhook) => void;
}

export function Add({ hub, changed }: ActProps) {
  const [url, setUrl] = useDraft('webhook address');
  const [types, setTypes] = useDraft('webhook kinds');
  const [isLost, setLost] = useState(false);
  const press = usePress(hub, {
    form: 'add a webhook',
    what: W.addOf(url.trim()),
    work: async (once) => {
      const body = { url: url.trim(), types: types.split(/[\s,]+/).filter((each) => each !== '') };
      const made = unwrap(await once.POST('/api/v1/me/webhooks', { body }));
      changed(made);
      setLost(made.secret === undefined);
      setUrl('');
      setTypes('');
    },
  });
  return (
    <Section title={W.add}>
      {isLost && (
        <p class="note" role="status">
          {W.lost}
        </p>
      )}
      <Once press={press}>
        <Form label={W.add} onSubmit={() => press.run()}>
          <Field
            label={W.url}
            of="body.url"
            value={url}
            onInput={setUrl}
            hint={W.urlHint}
            problem={addressProblem(url)}
          />
          <Field
            label={W.types}
            of="body.types"
            value={types}
            onInput={setTypes}
            hint={W.typesHint}
          />
          <Submit isRunning={press.isRunning} isOff={url.trim() === ''} isMain>
            {W.add}
          </Submit>
          {press.error !== undefined && <Failure error={press.error} />}
        </Form>
      </Once>
    </Section>
  );
}

interface OneProps extends ActProps {
  readonly webhook: Webhook;
}

function One({ hub, webhook, changed }: OneProps) {
  const { id, url, state, why, failures, previousPublicKey, previousUntil } = webhook;
  return (
    <details>
      <summary>
        <code>{url}</code> <StateBadge of="webhook" state={state} />{' '}
        {failures > 0 && <Badge tone="bad">{W.failures(failures)}</Badge>}
      </summary>
      {why !== undefined && <p>{why}</p>}
      <Facts
        rows={[
          [W.kinds, webhook.types.length === 0 ? W.all : webhook.types.join(' ')],
          [W.waiting, count(webhook.waiting)],
          [W.next, webhook.nextAttemptAt && <Time at={webhook.nextAttemptAt} />],
          [W.failing, webhook.failingSince && <Time at={webhook.failingSince} />],
          [W.dropped, webhook.dropped === undefined ? undefined : count(webhook.dropped)],
          [W.formerKey, previousUntil && <Time at={previousUntil} />],
        ]}
      />
      <Copyable text={webhook.publicKey} label={W.publicKey} />
      {previousPublicKey !== undefined && <Copyable text={previousPublicKey} label={W.formerKey} />}
      <Acts hub={hub} webhook={webhook} changed={changed} />
      <Deliveries hub={hub} id={id} />
    </details>
  );
}

function Acts({ hub, webhook, changed }: OneProps) {
  const { id, state, waiting } = webhook;
  const [tested, setTested] = useState<string>();
  const action = useAction();
  const params = { path: { id } };
  const test = (): void =>
    action.run(async () => {
      setTested(undefined);
      const sent = unwrap(await hub.POST('/api/v1/me/webhooks/{id}/test', { params }));
      setTested(sent.fault ?? W.tested(sent.status, milliseconds(sent.durationMs)));
    });
  const turn = (): void =>
    action.run(async () => {
      const body = { state: state === 'active' ? 'paused' : 'active' } as const;
      changed(unwrap(await hub.POST('/api/v1/me/webhooks/{id}/update', { params, body })));
    });
  const replay = async (after: string): Promise<void> =>
    changed(unwrap(await hub.POST('/api/v1/me/webhooks/{id}/update', { params, body: { after } })));
  const rotate = async (): Promise<void> => {
    const body = { rotateSecret: 'overlap' } as const;
    changed(unwrap(await hub.POST('/api/v1/me/webhooks/{id}/update', { params, body })));
  };
  const remove = async (): Promise<void> => {
    unwrap(await hub.POST('/api/v1/me/webhooks/{id}/delete', { params }));
    changed();
  };
  return (
    <>
      <p class="actions">
        <button type="button" aria-busy={action.isRunning} onClick={test}>
          {W.test}
        </button>
        <button type="button" onClick={turn}>
          {state === 'active' ? W.pause : W.resume}
        </button>
      </p>
      {tested !== undefined && <p role="status">{tested}</p>}
      {action.error !== undefined && <Failure error={action.error} />}
      <SureForm
        label={W.replay}
        question={W.replayQuestion}
        yes={W.replayYes}
        isOff={false}
        work={() => replay('0')}
      />
      {waiting > 0 && (
        <SureForm
          label={W.skip}
          question={W.skipQuestion(waiting)}
          yes={W.skipYes}
          isOff={false}
          isDanger
          work={() => replay('now')}
        />
      )}
      <SureForm
        label={W.rotate}
        question={W.rotateQuestion}
        yes={W.rotateYes}
        isOff={false}
        work={rotate}
      />
      <SureForm
        label={W.remove}
        question={W.removeQuestion}
        yes={W.removeYes}
        isOff={false}
        isDanger
        work={remove}
      />
    </>
  );
}
