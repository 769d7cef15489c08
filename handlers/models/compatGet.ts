import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentCompatModel } from './present/compat.ts';

export const compatGet: Handler<'models.compatGet'> = async ({ path }, hub) => {
  const offer = hub.models.offer(path.model);
  if (offer !== undefined) return { status: 200, body: presentCompatModel(offer) };
  return refuse('not-found', {
    error: `There is no model ${JSON.stringify(path.model)}.`,
    hint: 'GET /v1/models lists the models.',
    field: 'path.model',
  });
};
