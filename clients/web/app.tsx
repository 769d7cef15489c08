import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { unwrap } from '../typescript/refusal.ts';
import { useLoadWaiting, useUndecided, WaitingContext } from './approvals/waiting.ts';
import { useExact } from './exact.ts';
import { Header } from './header.tsx';
import { ofHub } from './hubAddress.ts';
import { useLoad } from './load.ts';
import { MineContext, useLoadMine } from './mine.ts';
import { go, useRoute } from './navigation.ts';
import { Connection } from './parts/connection.tsx';
import { useFresh } from './parts/fresh.ts';
import { later } from './parts/later.tsx';
import { pathTo, type Route } from './routes.ts';
import { reader } from './session.ts';
import { useShortcut } from './shortcuts.ts';
import { T } from './texts.ts';

/** Every page is a file of its own, which the shell of its address preloads. */
const PAGES: Readonly<Record<Route['page'], (props: { readonly route: never }) => unknown>> = {
  home: later(() => import('./pages/home.tsx').then(({ Home }) => Home)),
  work: later(() => import('./pages/work.tsx').then(({ Work }) => Work)),
  task: later(() => import('./pages/task.tsx').then(({ TaskPage }) => TaskPage)),
  publish: later(() => import('./pages/publish.tsx').then(({ Publish }) => Publish)),
  account: later(() => import('./pages/account.tsx').then(({ AccountPage }) => AccountPage)),
  money: later(() => import('./pages/money.tsx').then(({ MoneyPage }) => MoneyPage)),
  keys: later(() => import('./pages/keys.tsx').then(({ KeysPage }) => KeysPage)),
  ownWork: later(() => import('./pages/ownWork.tsx').then(({ OwnWorkPage }) => OwnWorkPage)),
  listings: later(() => import('./pages/listings.tsx').then(({ ListingsPage }) => ListingsPage)),
  webhooks: later(() => import('./pages/webhooks.tsx').then(({ WebhooksPage }) => WebhooksPage)),
  storage: later(() => import('./pages/storage.tsx').then(({ Storage }) => Storage)),
  agents: later(() => import('./pages/agents.tsx').then(({ Agents }) => Agents)),
  agent: later(() => import('./pages/agent.tsx').then(({ Agent }) => Agent)),
  market: later(() => import('./pages/market.tsx').then(({ MarketPage }) => MarketPage)),
  table: later(() => import('./pages/table.tsx').then(({ TablePage }) => TablePage)),
  trust: later(() => import('./pages/trust.tsx').then(({ Trust }) => Trust)),
  judges: later(() => import('./pages/judges.tsx').then(({ Judges }) => Judges)),
  judge: later(() => import('./pages/judge.tsx').then(({ JudgePage }) => JudgePage)),
  models: later(() => import('./pages/models.tsx').then(({ Models }) => Models)),
  games: later(() => import('./pages/games.tsx').then(({ Games }) => Games)),
  ecosystem: later(() => import('./pages/ecosystem.tsx').then(({ Ecosystem }) => Ecosystem)),
  tryCall: later(() => import('./pages/tryCall.tsx').then(({ TryCall }) => TryCall)),
  status: later(() => import('./pages/status.tsx').then(({ Status }) => Status)),
  unknown: later(() => import('./pages/unknown.tsx').then(({ NoPage }) => NoPage)),
};

export function App() {
  const route = useRoute();
  const mine = useLoadMine();
  const waiting = useLoadWaiting(mine);
  const undecided = useUndecided(waiting).length;
  const heading = useHeading(route, undecided);
  useShortcut('c', () => go(pathTo('publish')));
  const networks = useLoad('networks', async (signal) =>
    unwrap(await reader.GET('/api/v1/networks', { signal })),
  );
  const network = networks.value?.networks.find(({ isDefault }) => isDefault);
  return (
    <MineContext.Provider value={mine}>
      <a class="skip" href="#main">
        {T.skip}
      </a>
      <Header route={route} mine={mine} network={network} waiting={undecided} />
      <KindOfMoney isReal={network?.kind === 'real'} />
      <Connection />
      <main id="main" tabIndex={-1} ref={heading}>
        <WaitingContext.Provider value={waiting}>
          <PageFor route={route} />
        </WaitingContext.Provider>
      </main>
      <footer>
        <nav aria-label={T.aboutHub}>
          <a href={ofHub('/docs/')}>{T.guides}</a>
          <a href={ofHub('/docs')}>{T.docs}</a>
          <a href={ofHub('/llms.txt')}>{T.llms}</a>
          <a href={ofHub('/errors')}>{T.errors}</a>
          <a href={ofHub('/keys')}>{T.hubKeys}</a>
          <a href={pathTo('judges')}>{T.pages.judges}</a>
          <a href={pathTo('ecosystem')}>{T.pages.ecosystem}</a>
          <a href={pathTo('status')}>{T.pages.status}</a>
        </nav>
        <ExactValues />
      </footer>
    </MineContext.Provider>
  );
}

/** It has its place before the hub has answered, so that nothing below it moves. */
function KindOfMoney({ isReal }: { readonly isReal: boolean }) {
  const name = isReal ? T.realMoney : T.testMoney;
  return (
    <aside class={isReal ? 'site kind' : 'note site kind'} aria-label={name}>
      <strong>{name}</strong> {isReal ? T.realMoneyWhy : T.testMoneyWhy}
    </aside>
  );
}

/** A title is for a mouse; this is for fingers, keyboards and screen readers as well. */
function ExactValues() {
  const [isExact, toggle] = useExact();
  return (
    <button type="button" class="small" aria-pressed={isExact} onClick={toggle}>
      {T.exactValues}
    </button>
  );
}

/** Sets the title of a new page and focuses it, so that a screen reader announces it. */
function useHeading(route: Route, waiting: number) {
  const place = useRef<HTMLElement>(null);
  const name = 'id' in route ? `${route.page} ${route.id}` : route.page;
  const before = useRef(name);
  useFresh(place, name);
  useEffect(() => {
    const title = route.page === 'home' ? T.name : `${T.pages[route.page]} · ${T.name}`;
    document.title = waiting === 0 ? title : `(${waiting}) ${title}`;
  }, [name, waiting]);
  useEffect(() => {
    if (before.current !== name) place.current?.focus({ preventScroll: true });
    before.current = name;
  }, [name]);
  return place;
}

function PageFor({ route }: { readonly route: Route }) {
  const Page = PAGES[route.page] as ComponentType<{ readonly route: Route }>;
  // The table above pairs each page with the component that takes its route.
  return <Page key={route.page} route={route} />;
}
