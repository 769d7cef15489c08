import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds, percent } from '../format.ts';
import { useLoad } from '../load.ts';
import { CopiedAccount } from '../parts/copy.tsx';
import { Facts, Money, ScrolledTable, Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { judgeTexts as J } from '../texts/judge.ts';
import type { Got } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

type Judges = Got<'/api/v1/validators'>;
interface Report {
  readonly validator: Judges['validators'][number];
  readonly measures: NonNullable<Judges['measures']>;
}
type Measures = Report['measures']['all'];
type Rate = Measures['panel'];

const KIND_RATES = ['panel', 'arbiters', 'abstained'] as const;
const RATES = [...KIND_RATES, 'planted'] as const;

export function JudgePage({ route: { id } }: { readonly route: { readonly id: string } }) {
  const judges = useLoad(`judge ${id}`, async (signal) =>
    unwrap(await reader.GET('/api/v1/validators', { params: { query: { id } }, signal })),
  );
  return (
    <>
      <p class="crumbs">
        <a href={pathTo('judges')}>{T.pages.judges}</a>
      </p>
      <h1>{T.pages.judge}</h1>
      <p class="lead">{J.lead}</p>
      <With of={judges}>
        {({ validators: [validator], measures }) =>
          validator && measures && <Shown report={{ validator, measures }} />
        }
      </With>
    </>
  );
}

function Shown({ report: { validator, measures } }: { readonly report: Report }) {
  const { account, reliabilityBps, stake, ceiling, network, karma } = validator;
  const { all, measuredAt, perRequesterMax } = measures;
  return (
    <>
      <Facts
        terms={glossary}
        rows={[
          [T.pages.account, <CopiedAccount key="account" name={account} />],
          [J.reliability, shareText(reliabilityBps)],
          [J.stake, <Money key="stake" units={stake} network={network} />],
          [J.ceiling, <Money key="ceiling" units={ceiling} network={network} />],
          [J.karma, count(karma)],
          [J.draws, count(all.draws)],
          [J.requesters, count(all.requesters)],
          [J.median, all.time && milliseconds(all.time.medianMs)],
          [J.p90, all.time && milliseconds(all.time.p90Ms)],
          [J.cost, all.cost && <Money key="cost" units={all.cost.mean} network={network} />],
          [J.measuredAt, measuredAt && <Time key="at" at={measuredAt} />],
        ]}
      />
      <p class="quiet">{J.reliabilityWhy}</p>
      <Section title={J.rates} lead={J.ratesLead(perRequesterMax)}>
        <ScrolledTable label={J.rates}>
          <thead>
            <tr>
              <th scope="col">{J.measure}</th>
              <th scope="col" class="number">
                {J.of}
              </th>
              <th scope="col" class="number">
                {J.share}
              </th>
              <th scope="col">{J.interval}</th>
            </tr>
          </thead>
          <tbody>
            {RATES.map((name) => {
              const rate = all[name];
              return rate && <RateRow key={name} label={J.names[name]} rate={rate} />;
            })}
          </tbody>
        </ScrolledTable>
      </Section>
      <Calibrated of={all.calibration} />
      <Kinds measures={measures} />
    </>
  );
}

function shareText(bps: number | undefined): string {
  return bps === undefined ? T.notMeasured : percent(bps / 10_000);
}

function rateText({ rate }: Rate): string {
  return rate === undefined ? T.notMeasured : percent(rate);
}

function RateRow({ label, rate }: { readonly label: string; readonly rate: Rate }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td class="number">{count(rate.of)}</td>
      <td class="number">{rateText(rate)}</td>
      <td>{J.interval95(percent(rate.low), percent(rate.high))}</td>
    </tr>
  );
}

function Calibrated({ of }: { readonly of: Measures['calibration'] }) {
  if (of === undefined) {
    return (
      <Section title={J.calibration}>
        <Empty>{J.noConfidence}</Empty>
      </Section>
    );
  }
  return (
    <Section title={J.calibration} lead={J.calibrationLead(of.brier.toFixed(3))}>
      <ScrolledTable label={J.calibration}>
        <thead>
          <tr>
            <th scope="col">{J.stated}</th>
            <th scope="col" class="number">
              {J.right}
            </th>
            <th scope="col" class="number">
              {J.votes}
            </th>
          </tr>
        </thead>
        <tbody>
          {of.bins.map(({ from, to, votes, right }) => (
            <tr key={from}>
              <th scope="row">{J.interval95(percent(from), percent(to))}</th>
              <td class="number">{percent(right / votes)}</td>
              <td class="number">{count(votes)}</td>
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
    </Section>
  );
}

function Kinds({ measures: { byAcceptance, bySkill } }: { readonly measures: Report['measures'] }) {
  const rows = [
    ...byAcceptance.map(({ kind, measures }) => [J.rules[kind], measures] as const),
    ...bySkill.map(({ skill, measures }) => [J.skill(skill), measures] as const),
  ];
  if (rows.length === 0) return null;
  return (
    <Section title={J.kinds}>
      <ScrolledTable label={J.kinds}>
        <thead>
          <tr>
            <th scope="col">{J.kind}</th>
            <th scope="col" class="number">
              {J.draws}
            </th>
            {KIND_RATES.map((name) => (
              <th key={name} scope="col" class="number">
                {J.names[name]}
              </th>
            ))}
            <th scope="col">{J.median}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, of]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="number">{count(of.draws)}</td>
              {KIND_RATES.map((name) => (
                <td key={name} class="number">
                  {rateText(of[name])}
                </td>
              ))}
              <td>{of.time === undefined ? T.notMeasured : milliseconds(of.time.medianMs)}</td>
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
    </Section>
  );
}
