import { useMemo, useState } from 'preact/hooks';
import type { components } from '../../../generated/types.ts';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { linkFor } from '../contract/link.ts';
import { count, percent, usdc } from '../format.ts';
import { Choice, Field, Form, Once, Submit, SureForm } from '../parts/fields.tsx';
import { Badge, Section, Stranger, Untrusted } from '../parts/shown.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { usePress } from '../press.ts';
import { isRecord, jsonOr } from '../publish/conditions.ts';
import { CallReceipt } from '../receipts/callReceipt.tsx';
import { pathTo } from '../routes.ts';
import { useFormDraft, useSender } from '../session.ts';
import { T } from '../texts.ts';
import { listingTexts as L } from '../texts/listing.ts';
import { toolFormTexts as F } from '../texts/toolForm.ts';
import { fieldsOf, firstValues } from '../toolForm/nodes.ts';
import { SchemaForm } from '../toolForm/schemaForm.tsx';
import { ShownAnswer } from '../toolForm/shownAnswer.tsx';
import { firstFault } from '../toolForm/values.ts';
import type { Got, Listing } from '../types.ts';

type CallResult = components['schemas']['CallResult'];
type Reliability = Got<'/api/v1/agents/{id}/reliability'>;
type Skill = Listing['skills'][number];
type Price = NonNullable<Skill['price']>;

interface TryToolProps {
  readonly listing: Listing;
  readonly reliability: Reliability;
}

/** The form of the agent's tools, which is what its page is for. */
export function TryTool({ listing, reliability }: TryToolProps) {
  const sender = useSender();
  const tools = listing.skills.filter(
    ({ price, access }) =>
      access !== 'auth-required' && (price === undefined ? access !== 'paid' : isPayable(price)),
  );
  return (
    <Section title={L.try} lead={L.tryLead}>
      {tools.length === 0 && <Empty>{L.noFree}</Empty>}
      {tools.length > 0 && sender !== undefined && (
        <Call
          id={listing.id}
          tools={tools}
          hub={sender.hub}
          own={sender.account}
          reliability={reliability}
        />
      )}
      {tools.length > 0 && sender === undefined && <MakeKey />}
    </Section>
  );
}

/** The hub pays prices in USDC; others it only shows. */
const isPayable = ({ asset }: Price): boolean => asset === 'USDC';
const priceText = ({ amount, network }: Price): string =>
  `${usdc(amount)} ${network === undefined ? 'USDC' : T.unit(network)}`;
const ROWS_MAX = 16;

/** How many calls of this tool were served, or of all tools where it had none of its own. */
function successOf(reliability: Reliability | undefined, name: string): string {
  const own = reliability?.operations.find(({ operation }) => operation === name)?.tally;
  const { calls = 0, okRate } = own ?? {};
  return okRate === undefined ? F.noCalls : F.success(percent(okRate), count(calls));
}
const labelOf = ({ name, price }: Skill): string =>
  price === undefined ? name : L.priced(name, priceText(price));

interface CallProps {
  readonly id: string;
  readonly tools: readonly Skill[];
  readonly hub: Hub;
  readonly own: string;
  readonly reliability?: Reliability;
}

export function Call({ id, tools, hub, own, reliability }: CallProps) {
  const empty = { name: tools[0]?.id ?? '', text: '' };
  const [draft, change] = useFormDraft(`try ${id}`, empty);
  const [got, setGot] = useState<CallResult>();
  // A tool of a draft may be gone since.
  const tool = tools.find((each) => each.id === draft.name) ?? tools[0];
  const name = tool?.id ?? '';
  const schema = tool?.inputSchema;
  const form = useMemo(() => fieldsOf(schema), [schema]);
  const hasFields = form !== undefined && form.length > 0;
  const begun = useMemo(() => JSON.stringify(firstValues(form ?? []), null, 2), [form]);
  const text = draft.text === '' ? begun : draft.text;
  const parsed = jsonOr(text, undefined);
  const fault = form === undefined ? undefined : firstFault(form, parsed);
  const isOff = !isRecord(parsed) || fault !== undefined;
  const price = tool?.price;
  // No more than the price that was shown is paid, whatever the agent asks for then.
  const pay = price && {
    maxPrice: price.amount,
    ...(price.network !== undefined && { network: price.network }),
  };
  const args = isRecord(parsed) ? parsed : {};
  const call = { agentId: id, operation: name, arguments: args, ...pay };
  const press = usePress(hub, {
    form: `call ${id}`,
    what: L.callOf(name, price === undefined ? undefined : priceText(price)),
    work: async (once) => {
      setGot(undefined);
      setGot(unwrap(await once.POST('/api/v1/call', { body: { caller: own, ...call } })));
    },
  });
  const fields = (
    <>
      <Choice
        label={L.tool}
        value={name}
        options={tools.map((each) => [each.id, labelOf(each)] as const)}
        onChange={(next) => change({ name: next, text: '' })}
      />
      {tool !== undefined && tool.description !== '' && <Stranger text={tool.description} />}
      <div class={hasFields ? 'columns2' : ''}>
        {hasFields && (
          <div>
            <SchemaForm
              key={name}
              fields={form}
              values={isRecord(parsed) ? parsed : {}}
              onChange={(next) => change({ text: JSON.stringify(next, null, 2) })}
            />
          </div>
        )}
        <Field
          label={form === undefined ? L.arguments : L.asJson}
          value={text}
          onInput={(next) => change({ text: next })}
          hint={isRecord(parsed) ? (form === undefined ? F.noFields : '') : L.notJson}
          rows={form === undefined ? 3 : Math.min(ROWS_MAX, 2 + form.length * 2)}
        />
      </div>
      <p class="meta price">
        <span>{price === undefined ? L.costsNothing : L.costs(priceText(price))}</span>
        <span>{successOf(reliability, name)}</span>
      </p>
      {fault !== undefined && <p class="quiet">{F.fault(fault.fault, fault.field.label)}</p>}
    </>
  );
  return (
    <>
      {price === undefined ? (
        <Once press={press}>
          <Form label={L.try} onSubmit={() => press.run()}>
            {fields}
            <Submit isRunning={press.isRunning} isOff={isOff} isMain>
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
          isOff={isOff}
          isMain
          press={press}
        >
          {fields}
        </SureForm>
      )}
      {got !== undefined && <Answer got={got} />}
      {!isOff && (
        <p>
          <a href={pathTo('try', linkFor('router.call', {}, call))}>{L.inCode}</a>
        </p>
      )}
    </>
  );
}

function Answer({ got }: { readonly got: CallResult }) {
  const { receipt, result } = got;
  const { outcome, why } = receipt;
  return (
    <div role="status">
      <p>
        <Badge tone={outcome === 'served' ? 'good' : 'bad'}>{L.outcomes[outcome]}</Badge>{' '}
        <span class="quiet">{why}</span>
      </p>
      {result !== undefined && (
        <>
          <Untrusted />
          <ShownAnswer result={result} label={L.result} />
        </>
      )}
      <CallReceipt receipt={receipt} />
    </div>
  );
}
