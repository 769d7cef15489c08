import { useState } from 'preact/hooks';
import { unwrap, type components, type Hub } from '../../typescript/index.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { milliseconds } from '../format.ts';
import { useAction } from '../load.ts';
import { Choice, Field, Form, Submit } from '../parts/fields.tsx';
import { Badge, Facts, Json, Money, Section } from '../parts/shown.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { isRecord, jsonOr } from '../publish/conditions.ts';
import { useFormDraft, useSession } from '../session.ts';
import { T } from '../texts.ts';
import { listingTexts as L } from '../texts/listing.ts';
import type { Listing } from '../types.ts';

type CallResult = components['schemas']['CallResult'];
type Skill = Listing['skills'][number];

/** A tool without a price, called through the hub, with what came back. */
export function TryTool({ listing }: { readonly listing: Listing }) {
  const session = useSession();
  const free = listing.skills.filter(({ price, access }) => {
    return price === undefined && access !== 'paid' && access !== 'auth-required';
  });
  return (
    <Section title={L.try} lead={L.tryLead}>
      {free.length === 0 && <Empty>{L.noFree}</Empty>}
      {free.length > 0 && session.state === 'open' && (
        <Call id={listing.id} tools={free} hub={session.hub} own={session.account} />
      )}
      {free.length > 0 && session.state !== 'open' && (
        <>
          <p>{L.needsKey}</p>
          <MakeKey />
        </>
      )}
    </Section>
  );
}

interface CallProps {
  readonly id: string;
  readonly tools: readonly Skill[];
  readonly hub: Hub;
  readonly own: string;
}

function Call({ id, tools, hub, own }: CallProps) {
  const empty = { name: tools[0]?.id ?? '', text: '{}' };
  const [{ name, text }, change] = useFormDraft(`try ${id}`, empty);
  const [got, setGot] = useState<CallResult>();
  const action = useAction();
  const tool = tools.find((each) => each.id === name);
  const parsed = jsonOr(text, undefined);
  const call = (): void =>
    action.run(async () => {
      if (!isRecord(parsed)) return;
      setGot(undefined);
      const body = { caller: own, agentId: id, operation: name, arguments: parsed };
      setGot(unwrap(await hub.POST('/api/v1/call', { body })));
    });
  return (
    <>
      <Form label={L.try} onSubmit={call}>
        <Choice
          label={L.tool}
          value={name}
          options={tools.map((each) => [each.id, each.name] as const)}
          onChange={(next) => change({ name: next })}
        />
        <Field
          label={L.arguments}
          value={text}
          onInput={(next) => change({ text: next })}
          hint={isRecord(parsed) ? L.argumentsHint : L.notJson}
          rows={3}
        />
        {tool?.inputSchema !== undefined && (
          <details>
            <summary>{L.schema}</summary>
            <Json value={tool.inputSchema} label={L.schema} />
          </details>
        )}
        <Submit isRunning={action.isRunning} isOff={!isRecord(parsed)} isMain>
          {L.call}
        </Submit>
        {action.error !== undefined && <Failure error={action.error} />}
      </Form>
      {got !== undefined && <Answer got={got} />}
    </>
  );
}

function Answer({ got: { receipt, result } }: { readonly got: CallResult }) {
  const { outcome, why, durationMs, cost, network, responseHash } = receipt;
  return (
    <div role="status">
      <p>
        <Badge tone={outcome === 'served' ? 'good' : 'bad'}>{L.outcomes[outcome]}</Badge>{' '}
        <span class="quiet">{why}</span>
      </p>
      {result !== undefined && (
        <>
          <p class="quiet">{T.strangersText}</p>
          <Json value={result} label={L.result} />
        </>
      )}
      <Facts
        rows={[
          [L.took, milliseconds(durationMs)],
          [L.cost, <Money key="cost" units={cost} network={network} />],
          [L.digest, responseHash === undefined ? undefined : <code>{responseHash}</code>],
        ]}
      />
    </div>
  );
}
