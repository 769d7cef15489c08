import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds, percent } from '../format.ts';
import { useLoad } from '../load.ts';
import { Chat } from '../models/chat.tsx';
import { answers } from '../models/offers.ts';
import { Badge, Facts, Money, Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { moreTexts } from '../texts/more.ts';
import type { Got } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

type Catalogue = Got<'/api/v1/models'>;
type Model = Catalogue['models'][number];

export function Models() {
  const models = useLoad('models', async (signal) =>
    unwrap(await reader.GET('/api/v1/models', { signal })),
  );
  return (
    <>
      <h1>{moreTexts.models.title}</h1>
      <p class="lead">{moreTexts.models.lead}</p>
      <With of={models}>
        {(catalogue) => (
          <>
            {catalogue.models.length === 0 && <Empty>{moreTexts.models.none}</Empty>}
            <div class="columns2">
              <div>{catalogue.models.some(answers) && <Chat models={catalogue.models} />}</div>
              <div>
                {catalogue.models.map((model) => (
                  <OneModel key={model.id} model={model} />
                ))}
                <Ceilings catalogue={catalogue} />
              </div>
            </div>
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
    <Badge tone={backend === 'mock' ? 'wait' : 'good'}>{moreTexts.models.backends[backend]}</Badge>
  );
  return (
    <Section title={name} aside={aside} {...(description !== undefined && { lead: description })}>
      <Facts
        terms={glossary}
        rows={[
          [moreTexts.models.id, <code key="id">{id}</code>],
          [moreTexts.models.price, moreTexts.models.priceOf(price.input, price.output)],
          [moreTexts.models.context, moreTexts.models.tokens(count(model.contextLength))],
          answers(model)
            ? [moreTexts.models.longest, moreTexts.models.tokens(count(model.maxAnswerTokens))]
            : [moreTexts.models.vector, count(model.dimensions?.most ?? 0)],
          [moreTexts.models.calls, moreTexts.models.callsIn(count(calls), measured.windowHours)],
          [moreTexts.models.uptime, uptime === undefined ? T.notMeasured : percent(uptime)],
          [
            moreTexts.models.first,
            firstTokenMs === undefined ? T.notMeasured : milliseconds(firstTokenMs),
          ],
          [
            moreTexts.models.speed,
            tokensPerSecond === undefined
              ? T.notMeasured
              : moreTexts.models.perSecond(count(tokensPerSecond)),
          ],
          [moreTexts.models.providers, providers.map((provider) => provider.name).join(', ')],
          [moreTexts.models.paidOn, model.buysOn.join(', ')],
        ]}
      />
    </Section>
  );
}

function Ceilings({ catalogue: { ceilings } }: { readonly catalogue: Catalogue }) {
  const { perAccountDay, hubDay, hubDayLeft, resetsAt } = ceilings;
  return (
    <Section title={moreTexts.models.ceilings} lead={moreTexts.models.ceilingsLead}>
      <Facts
        terms={glossary}
        rows={[
          [
            moreTexts.models.perAccount,
            <Money key="a" units={perAccountDay.amount} network={perAccountDay.network} />,
          ],
          [
            moreTexts.models.perHub,
            <Money key="h" units={hubDay.amount} network={hubDay.network} />,
          ],
          [
            moreTexts.models.left,
            <Money key="l" units={hubDayLeft.amount} network={hubDayLeft.network} />,
          ],
          [moreTexts.models.resets, <Time key="t" at={resetsAt} />],
        ]}
      />
    </Section>
  );
}
