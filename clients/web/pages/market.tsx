import { useRef } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { count, shareOf, usdc } from '../format.ts';
import { Bet } from '../games/bet.tsx';
import { Chance } from '../games/marketCard.tsx';
import { OddsOf } from '../games/odds.tsx';
import { Resolve } from '../games/resolve.tsx';
import { isMoney } from '../games/terms.ts';
import { useLoad } from '../load.ts';
import { CopiedAccount } from '../parts/copy.tsx';
import { Split } from '../parts/plots.tsx';
import { Account, Facts, Money, Section, Stranger, Time, Untrusted } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader, useSender, useSession } from '../session.ts';
import { T } from '../texts.ts';
import { moreTexts } from '../texts/more.ts';
import { marketTexts as M } from '../texts/markets.ts';
import type { Got, Market } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

type Position = Got<'/api/v1/games/predictions/positions'>['positions'][number];
const EVERY_MS = 5_000;
const POSITIONS = 200;

export function MarketPage({ route: { id } }: { readonly route: { readonly id: string } }) {
  const market = useLoad(
    `market ${id}`,
    async (signal) =>
      unwrap(
        await reader.GET('/api/v1/games/predictions/markets/{id}', {
          params: { path: { id } },
          signal,
        }),
      ),
    EVERY_MS,
  );
  return (
    <>
      <p class="crumbs">
        <a href={pathTo('games')}>{T.pages.games}</a>
      </p>
      <With of={market}>
        {(value) => (
          <>
            <h1>{value.question}</h1>
            <p class="meta">
              <StateBadge of="market" state={value.state} />
              <span>
                {moreTexts.games.pot} <Money units={value.pot} network={value.network} />
              </span>
              <span>
                {value.state === 'open' ? moreTexts.games.closes : moreTexts.games.closed}{' '}
                <Time at={value.window.closesAt} />
              </span>
            </p>
            <div class="columns2 moves">
              <div>
                <Section title={value.state === 'open' ? M.now : M.outcome}>
                  {value.state === 'open' ? <Chance market={value} /> : <Waits market={value} />}
                </Section>
                <OddsOf market={value} />
                <Sides market={value} />
              </div>
              <div>
                <Own market={value} changed={market.reload} />
              </div>
              <Terms market={value} />
            </div>
          </>
        )}
      </With>
    </>
  );
}

function Waits({ market: { state, settledBy, outcome, source } }: { readonly market: Market }) {
  if (outcome !== undefined) {
    return (
      <p class="outcome">
        <b>{moreTexts.games.outcomes[outcome]}</b>
      </p>
    );
  }
  if (state !== 'closed') return null;
  const isHouse = source.includes('[try]');
  return (
    <p class="note">
      {settledBy === 'check' ? M.waitsCheck : isHouse ? M.waitsHouse : M.waitsJudge}
    </p>
  );
}

function Sides({ market: { sides, pot, network, settlement } }: { readonly market: Market }) {
  return (
    <Section title={M.pots}>
      <Split
        title={M.pots}
        parts={sides.map(({ side, pot: part, bettors }) => ({
          label: M.sides[side],
          share: shareOf(part, pot),
          text: `${usdc(part)} (${M.bettors(bettors)})`,
        }))}
      />
      {settlement !== undefined && (
        <>
          <h3>{M.settlement}</h3>
          <Split
            title={M.settlement}
            parts={(['returned', 'won', 'judgeShare'] as const)
              .filter((part) => settlement[part] !== '0')
              .map((part) => ({
                label: M.parts[part],
                share: shareOf(settlement[part], pot),
                text: `${usdc(settlement[part])} ${T.unit(network)}`,
              }))}
          />
        </>
      )}
    </Section>
  );
}

function Terms({ market }: { readonly market: Market }) {
  const { source, creator, settledBy, check, sample, window, outcome } = market;
  const { resolvedBy, evidence } = market;
  return (
    <Section title={M.settles} aside={<Untrusted />}>
      <Stranger text={source} />
      <Facts
        terms={glossary}
        rows={[
          [M.settles, M.settledBy[settledBy]],
          [
            M.check,
            check &&
              `${M.metrics[check.metric]} ${M.ops[check.op]} ${numberText(check, check.value)}`,
          ],
          [M.sample, check && sample && numberText(check, sample.value)],
          [M.creator, <CopiedAccount key="creator" name={creator} />],
          [M.voidAt, outcome === undefined ? <Time at={window.resolveBy} /> : undefined],
          [
            M.outcome,
            outcome === undefined ? undefined : <b>{moreTexts.games.outcomes[outcome]}</b>,
          ],
          [
            moreTexts.judges.judge,
            resolvedBy === undefined ? undefined : <Account name={resolvedBy} />,
          ],
        ]}
      />
      {evidence !== undefined && (
        <>
          <h3>{M.evidence}</h3>
          <Stranger text={evidence} />
        </>
      )}
    </Section>
  );
}

function numberText({ metric }: NonNullable<Market['check']>, value: string): string {
  return isMoney(metric) ? `${usdc(value)} USDC` : count(BigInt(value));
}

interface OwnProps {
  readonly market: Market;
  readonly changed: () => void;
}

/** The bet of a visitor is the same form: its press makes the account, and the form stays. */
function Own({ market, changed }: OwnProps) {
  const { id, state, version, creator, settledBy } = market;
  const session = useSession();
  const sender = useSender();
  const wasVisitor = useRef(false);
  if (session.state === 'none') wasVisitor.current = true;
  const own = session.state === 'open' ? session.account : undefined;
  const mine = useLoad(`own ${id} ${own ?? ''} ${version}`, async (signal) => {
    if (session.state !== 'open') return undefined;
    return ownPart(session.hub, { id, own: session.account, signal });
  });
  const { me, position } = mine.value ?? {};
  if (sender === undefined) return <MakeKey />;
  if (me === undefined && !wasVisitor.current) return <With of={mine}>{() => null}</With>;
  const done = (): void => {
    changed();
    mine.reload();
  };
  return (
    <>
      {position !== undefined && <Has position={position} />}
      {state === 'open' && creator === own && <p class="note">{M.ownMarket}</p>}
      {state === 'open' && creator !== own && (
        <Section title={M.bet} lead={M.betLead}>
          <Bet
            market={market}
            hub={sender.hub}
            own={sender.account}
            wallet={me?.wallet}
            done={done}
          />
        </Section>
      )}
      {state === 'closed' &&
        settledBy === 'judge' &&
        position === undefined &&
        me?.validatorSeat?.state === 'seated' && (
          <Resolve id={id} hub={sender.hub} done={changed} />
        )}
    </>
  );
}

interface OwnPart {
  readonly id: string;
  readonly own: string;
  readonly signal: AbortSignal;
}

/** The account with its money and its seat as a judge, and its position in one market. */
async function ownPart(hub: Hub, { id, own, signal }: OwnPart) {
  const params = { query: { owner: own, limit: POSITIONS } };
  const [me, positions] = await Promise.all([
    hub.GET('/api/v1/me', { signal }),
    hub.GET('/api/v1/games/predictions/positions', { params, signal }),
  ]);
  const position = unwrap(positions).positions.find(({ marketId }) => marketId === id);
  return { me: unwrap(me), position };
}

function Has({ position }: { readonly position: Position }) {
  const { yes, no, ifYes, ifNo, returned, network } = position;
  const shown = (units: string) => <Money units={units} network={network} />;
  const staked = (units: string) => (units === '0' ? undefined : shown(units));
  const isOver = returned !== undefined;
  return (
    <Section title={M.position}>
      <Facts
        terms={glossary}
        rows={[
          [M.stakeOn(M.sides.yes), staked(yes)],
          [M.stakeOn(M.sides.no), staked(no)],
          [M.back(M.sides.yes), isOver ? undefined : shown(ifYes)],
          [M.back(M.sides.no), isOver ? undefined : shown(ifNo)],
          [M.returned, isOver ? shown(returned) : undefined],
        ]}
      />
    </Section>
  );
}
