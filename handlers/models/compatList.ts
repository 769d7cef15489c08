import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentCompatModel } from './present/compat.ts';

export const compatList: Handler<'models.compatList'> = async (_, hub) => ({
  status: 200,
  body: { object: 'list', data: hub.models.offers.map(presentCompatModel) },
});
