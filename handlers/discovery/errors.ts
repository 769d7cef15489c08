import type { Handler } from '../../workflows/kernel/handler.ts';
import { CODES, explain } from './content/errors.ts';

export const errors: Handler<'discovery.errors'> = async (_, hub) => {
  const all = CODES.map((code) => explain(code, hub.settings.baseUrl));
  return {
    status: 200,
    headers: { vary: 'accept' },
    body: { count: all.length, errors: all },
  };
};
