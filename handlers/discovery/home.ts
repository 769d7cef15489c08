import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentIndex } from './present/index.ts';

/** The index; a browser is shown it as a page (`server/pages/home.ts`). */
export const home: Handler<'discovery.home'> = async (_, hub) => ({
  status: 200,
  headers: { vary: 'accept' },
  body: presentIndex(hub),
});
