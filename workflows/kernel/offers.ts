import { operationTable, type OperationId } from '../../generated/operations.ts';
import type { Settings } from './settings.ts';

/** An operation to begin with, and the arguments that say what it is called for. */
interface Opening {
  readonly operation: OperationId;
  readonly given?: Readonly<Record<string, unknown>>;
}

interface Offer {
  readonly what: string;
  readonly calls: readonly Opening[];
}

const OFFERS: readonly Offer[] = [
  { what: 'games', calls: [{ operation: 'discovery.handshake', given: { intent: 'play' } }] },
  { what: 'poker', calls: [{ operation: 'poker.list' }, { operation: 'poker.sit' }] },
  {
    what: 'memory',
    calls: [
      { operation: 'memory.createSpace' },
      { operation: 'memory.write' },
      { operation: 'memory.search' },
    ],
  },
  { what: 'files', calls: [{ operation: 'files.put' }, { operation: 'files.get' }] },
  { what: 'hosting of your agent', calls: [{ operation: 'hosted.publish' }] },
  { what: 'time stamps', calls: [{ operation: 'time.stamp' }] },
];

const PREFIX = '/api/v1';

/** Where an operation is called, which decides how it is named. */
export type OfferPlace = 'http' | 'mcp' | 'a2a';

/**
 * The hub's offers beside tasks, each with the calls to begin with, as one line. The page over HTTP
 * is one screen, so it has the first call of each, without the prefix `/api/v1`.
 */
export function offersLine({ faucetEnabled, network }: Settings, place: OfferPlace): string {
  const given = network === 'sandbox' ? {} : { given: { network: 'sandbox' } };
  // A hub of real money leads its callers to that alone.
  const hasFaucet = faucetEnabled && network !== 'base';
  const test: readonly Opening[] = hasFaucet ? [{ operation: 'wallet.credit', ...given }] : [];
  const money: readonly Offer[] = [
    ...test.map((call) => ({ what: 'test money without a deposit', calls: [call] })),
    { what: 'an advance on a claimed task', calls: [{ operation: 'services.credit' }] },
  ];
  const shown = (calls: readonly Opening[]) => (place === 'http' ? calls.slice(0, 1) : calls);
  return [...money, ...OFFERS]
    .map(
      ({ what, calls }) =>
        `${what}: ${shown(calls)
          .map((call) => named(call, place))
          .join(', ')}`,
    )
    .join('; ');
}

function named({ operation, given }: Opening, place: OfferPlace): string {
  const { method, path, door } = operationTable[operation];
  const name = place === 'a2a' ? (door?.a2a ?? door?.mcp) : door?.mcp;
  const more = given === undefined ? '' : ` ${JSON.stringify(given)}`;
  if (place === 'http') return `\`${method} ${path.slice(PREFIX.length)}${more}\``;
  if (name === undefined) throw new Error(`no door has ${operation}`);
  return `${name}${more}`;
}
