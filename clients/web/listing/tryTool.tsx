import { useState } from 'preact/hooks';
import type { components } from '../../../generated/types.ts';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { milliseconds, usdc } from '../format.ts';
import { Choice, Field, Form, Once, Submit, SureForm } from '../parts/fields.tsx';
import { Badge, Facts, Json, Money, Section, Untrusted } from '../parts/shown.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { isRecord, jsonOr } from '../publish/conditions.ts';
import { useFormDraft, useSession } from '../session.ts';
import { T } from '../texts.ts';
import { listingTexts as L } from '../texts/listing.ts';
import type { Listing } from '../types.ts';

type CallResult = components['schemas']['CallResult'];
type Skill = Listing['skills'][number];
type Price = NonNullable<Skill['price']>;

export function TryTool({ listing }: { readonly listing: Listing }) {
  const session = useSession();
  const tools = listing.skills.filter(
    ({ price, access }) =>
      access !== 'auth-required' && (price === undefined ? access !== 'paid' : isPayable(price)),
  );
  return (
    <Section title={L.try} lead={L.tryLead}>
      {tools.length === 0 && <Empty>{L.noFree}</Empty>}
      {tools.length > 0 && session.state === 'open' && (
        <Call id={listing.id} tools={tools} hub={session.hub} own={session.account} />
      )}
      {tools.length > 0 && session.state !== 'open' && (
        <>
          <p>{L.needsKey}</p>
          <MakeKey />
        </>
      )}
    </Section>
  );
}

/** The hub pays prices in USDC; others it only shows. */
const isPayable = ({ asset }: Price): boolean => asset === 'USDC';
const priceText = ({ amount, network }: Price): string =>
  `${usdc(amount)} ${network === undefined ? 'USDC' : T.unit(network)}`;
const labelOf = ({ name, price }: Skill): string =>
  price === undefined ? name : L.priced(name, priceText(price));

interface CallProps {
  readonly id: string;
  readonly tools: readonly Skill[];
  readonly hub: Hub;
  readonly own: string;
}

export function Call({ id, tools, hub, own }: CallProps) {
  const empty = { name: tools[0]?.id ?? '', text: '{}' };
  const [{ name, text }, change] = useFormDraft(`try ${id}`, empty);
  const [got, setGot] = useState<CallResult>();
  const tool = tools.find((each) => each.id === name);
  const parsed = jsonOr(text, undefined);
  const price = tool?.price;
  const press = usePress(hub, {
    form: `call ${id}`,
    what: L.callOf(name, price === undefined ? undefined : priceText(price)),
    work: async (once) => {
      setGot(undefined);
      // No more than the price that was shown is paid, whatever the agent asks for then.
      const pay = price && {
        maxPrice: price.amount,
        ...(price.network !== undefined && { network: price.network }),
      };
      const args = isRecord(parsed) ? parsed : {};
      const body = { caller: own, agentId: id, operation: name, arguments: args, ...pay };
      setGot(unwrap(await once.POST('/api/v1/call', { body })));
    },
  });
  const fields = (
    <>
      <Choice
        label={L.tool}
        value={name}
        options={tools.map((each) => [each.id, labelOf(each)] as const)}
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
      <p>{price === undefined ? L.costsNothing : L.costs(priceText(price))}</p>
    </>
  );
  return (
    <>
      {price === undefined ? (
        <Once press={press}>
          <Form label={L.try} onSubmit={() => press.run()}>
            {fields}
            <Submit isRunning={press.isRunning} isOff={!isRecord(parsed)} isMain>
              {L.call}
            </Submit>
            {press.error !== undefined && <Failure error={press.error} />}
          </Form>
        </Once>
      ) : (
        <SureForm
          label={L.callFor(priceText(price))}
          name={L.try}
          question={L.callQuestion(priceText(price))}
          yes={L.callYes}
          isOff={!isRecord(parsed)}
          isMain
          press={press}
        >
          {fields}
        </SureForm>
      )}
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
          <Untrusted />
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
