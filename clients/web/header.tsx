import { useEffect, useState } from 'preact/hooks';
import { usdc } from './format.ts';
import type { Mine } from './mine.ts';
import { Avatar } from './parts/avatar.tsx';
import { Badge } from './parts/shown.tsx';
import { pathTo, type Route } from './routes.ts';
import { Search } from './search.tsx';
import { useSession } from './session.ts';
import { T } from './texts.ts';
import type { Me, Networks } from './types.ts';

type Network = Networks['networks'][number];

const NAVIGATION = ['', 'work', 'agents', 'models', 'games', 'trust'] as const;
type Entry = (typeof NAVIGATION)[number];

/** Pages that the navigation does not name, and the one that they belong to. */
const UNDER: Readonly<Partial<Record<Route['page'], Entry>>> = {
  home: '',
  task: 'work',
  publish: 'work',
  agent: 'agents',
  market: 'games',
  table: 'games',
  ecosystem: 'agents',
  judges: 'trust',
  status: 'trust',
};

interface HeaderProps {
  readonly route: Route;
  readonly mine: Mine;
  readonly network: Network | undefined;
  /** Calls that wait for the approval of this account. */
  readonly waiting: number;
}

export function Header({ route, mine, network, waiting }: HeaderProps) {
  const [isOpen, setOpen] = useState(false);
  const page = 'id' in route ? `${route.page} ${route.id}` : route.page;
  useEffect(() => setOpen(false), [page]);
  return (
    <header class={isOpen ? 'open' : ''}>
      <a class="brand" href={pathTo('')}>
        {T.name}
      </a>
      <button
        type="button"
        class="small menu"
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setOpen(!isOpen)}
      >
        {T.menu}
      </button>
      <div id="menu">
        <nav aria-label={T.navigation}>
          {NAVIGATION.map((entry) => (
            <a
              key={entry}
              href={pathTo(entry)}
              {...((UNDER[route.page] ?? route.page) === entry && { 'aria-current': 'page' })}
            >
              {T.pages[entry === '' ? 'home' : entry]}
            </a>
          ))}
        </nav>
        <Search page={page} reveal={() => setOpen(true)} />
      </div>
      <span class="network">
        {network !== undefined && (
          <a href={pathTo('status')} title={network.what}>
            <Badge tone={network.kind === 'real' ? 'good' : 'wait'}>{network.id}</Badge>
          </a>
        )}
      </span>
      {waiting > 0 && (
        <a class="waiting" href={pathTo('account/keys')} title={T.waiting(waiting)}>
          <Badge tone="bad">{String(waiting)}</Badge>
          <span class="unseen">{T.waiting(waiting)}</span>
        </a>
      )}
      <Who mine={mine} />
    </header>
  );
}

function Who({ mine: { value } }: Pick<HeaderProps, 'mine'>) {
  const session = useSession();
  // It keeps the place of the account, so that nothing in the header moves.
  if (session.state === 'opening') return <span class="who" />;
  if (session.state !== 'open') {
    return (
      <a class="who" href={pathTo('account')}>
        {T.pages.account}
      </a>
    );
  }
  const wallet = value?.wallet;
  return (
    <a class="who" href={pathTo('account')} title={session.account}>
      <Avatar name={session.account} />
      <span class="unseen">{T.pages.account}</span>
      {wallet !== undefined && <Purse wallet={wallet} />}
    </a>
  );
}

/** The money that can be spent, and beside it what is held for something that runs. */
function Purse({ wallet: { spendable, held, network } }: { readonly wallet: Me['wallet'] }) {
  return (
    <span class="purse">
      <span class="money" title={T.exactMoney(spendable, network)}>
        {usdc(spendable)} <small>{T.unit(network)}</small>
      </span>
      <span class="unseen">{T.canSpend}</span>
      {held.total !== '0' && (
        <small class="money" title={T.exactMoney(held.total, network)}>
          {T.heldMoney(usdc(held.total))}
        </small>
      )}
    </span>
  );
}
