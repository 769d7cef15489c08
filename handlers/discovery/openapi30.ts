import type { Encoded } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { perHub } from '../../workflows/kernel/perHub.ts';
import { contract30At } from './content/contract.ts';

const made = perHub(({ settings }) => ({
  body: contract30At(settings.baseUrl),
  encoded: {} as Encoded,
}));

export const openapi30: Handler<'discovery.openapi30'> = async (_, hub) => ({
  status: 200,
  ...made(hub),
});
