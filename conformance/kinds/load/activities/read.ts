import type { Hub } from '../../../../clients/typescript/index.ts';
import type { LoadAgent } from '../agents.ts';
import { pick, type Activity } from '../world.ts';

type Read = (hub: Hub, own: LoadAgent) => ReturnType<Hub['GET']>;
const owner = (own: LoadAgent) => ({ params: { path: { owner: own.account } } });
const READS: readonly Read[] = [
  (hub) => hub.GET('/api/v1/tasks', { params: { query: { limit: 20 } } }),
  (hub) => hub.GET('/api/v1/agents', { params: { query: { limit: 20 } } }),
  (hub) => hub.GET('/api/v1/search', { params: { query: { q: 'convert currency' } } }),
  (hub) => hub.GET('/api/v1/models'),
  (hub) => hub.GET('/api/v1/stats'),
  (hub) => hub.GET('/api/v1/economy'),
  (hub) => hub.GET('/api/v1/time'),
  (hub) => hub.GET('/api/v1/games/predictions/markets', { params: { query: { limit: 10 } } }),
  (hub) => hub.GET('/api/v1/games/poker/tables'),
  (hub) => hub.GET('/api/v1/me'),
  (hub) => hub.GET('/api/v1/call/receipts', { params: { query: { limit: 10 } } }),
  (hub, own) => hub.GET('/api/v1/wallet/{owner}', owner(own)),
  (hub, own) => hub.GET('/api/v1/wallet/{owner}/statement', owner(own)),
  (hub, own) => hub.GET('/api/v1/wallet/{owner}/summary', owner(own)),
];

export const read: Activity = async (own) => {
  const chosen = pick(READS);
  if (chosen !== undefined) await own.ask((hub) => chosen(hub, own));
};
