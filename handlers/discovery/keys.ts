import type { Handler } from '../../workflows/kernel/handler.ts';
import { publicKeys } from './present/keys.ts';

export const keys: Handler<'discovery.keys'> = async (_, hub) => {
  const all = await publicKeys(hub);
  return {
    status: 200,
    headers: { vary: 'accept' },
    body: { hub: hub.settings.baseUrl, count: all.length, keys: all },
  };
};
