import type { Encoded } from '../../server/hub/call.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { perHub } from '../../server/hub/perHub.ts';
import { contract30At } from './content/contract.ts';

const made = perHub(({ settings }) => ({
  body: contract30At(settings.baseUrl),
  encoded: {} as Encoded,
}));

export const openapi30: Handler<'discovery.openapi30'> = async (_, hub) => ({
  status: 200,
  ...made(hub),
});
