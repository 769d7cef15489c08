import type { Encoded } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { perHub } from '../../workflows/kernel/perHub.ts';
import { contractAt } from './content/contract.ts';

/** A megabyte of text: it is built and written once for a hub and not for each request. */
const made = perHub(({ settings }) => ({
  body: contractAt(settings.baseUrl),
  encoded: {} as Encoded,
}));

/** The contract from memory, with this hub as its server, so a tool can use it as it is. */
export const openapi: Handler<'discovery.openapi'> = async (_, hub) => ({
  status: 200,
  ...made(hub),
});
