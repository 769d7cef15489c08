import { unwrap } from '../../typescript/index.ts';
import { count, milliseconds, percent } from '../format.ts';
import { useLoad } from '../load.ts';
import { Chat } from '../models/chat.tsx';
import { Badge, Facts, Money, Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import type { Got } from '../types.ts';

type Catalogue = Got<'/api/v1/models'>;
type Model = Catalogue['models'][number];

/** Lists the models for sale, with prices and measured answers. */
export function Models() {
  const models = useLoad('models', async (signal) =>
    unwrap(await reader.GET('/api/v1/models', { signal })),
  );
  return (
    <>
      <h1>{T.models.title}</h1>
      <p class="lead">{T.models.lead}</p>
      <With of={models}>
        {(catalogue) => (
          <>
            {catalogue.models.length === 0 && <Empty>{T.models.none}</Empty>}
            {catalogue.models.map((model) => (
              <OneModel key={model.id} model={model} />
            ))}
            {catalogue.models.length > 0 && <Chat models={catalogue.models} />}
            <Ceilings catalogue={catalogue} />
          </>
        )}
      </With>
    </>
  );
}

function OneModel({ model }: { readonly model: Model }) {
  const { id, name, description, usdPerMillionTokens: price, measured, backend, providers } = model;
  const { calls, uptime, firstTokenMs, tokensPerSecond } = measured;
  const aside = (
    <Badge tone={backend === 'mock' ? 'wait' : 'good'}>{T.models.backends[backend]}</Badge>
  );
  return (
    <Section title={name} aside={aside} {...(description !== undefined && { lead: description })}>
      <Facts
        rows={[
          [T.models.id, <code key="id">{id}</code>],
          [T.models.price, T.models.priceOf(price.input, price.output)],
          [T.models.context, T.models.tokens(count(model.contextLength))],
          [T.models.longest, T.models.tokens(count(model.maxAnswerTokens))],
          [T.models.calls, T.models.callsIn(count(calls), measured.windowHours)],
          [T.models.uptime, uptime === undefined ? T.notMeasured : percent(uptime)],
          [T.models.first, firstTokenMs === undefined ? T.notMeasured : milliseconds(firstTokenMs)],
          [
            T.models.speed,
            tokensPerSecond === undefined
              ? T.notMeasured
              : T.models.perSecond(count(tokensPerSecond)),
          ],
          [T.models.providers, providers.map((provider) => provider.name).join(', ')],
          [T.models.paidOn, model.buysOn.join(', ')],
        ]}
      />
    </Section>
  );
}

function Ceilings({ catalogue: { ceilings } }: { readonly catalogue: Catalogue }) {
  const { perAccountDay, hubDay, hubDayLeft, resetsAt } = ceilings;
  return (
    <Section title={T.models.ceilings} lead={T.models.ceilingsLead}>
      <Facts
        rows={[
          [
            T.models.perAccount,
            <Money key="a" units={perAccountDay.amount} network={perAccountDay.network} />,
          ],
          [T.models.perHub, <Money key="h" units={hubDay.amount} network={hubDay.network} />],
          [T.models.left, <Money key="l" units={hubDayLeft.amount} network={hubDayLeft.network} />],
          [T.models.resets, <Time key="t" at={resetsAt} />],
        ]}
      />
    </Section>
  );
}
