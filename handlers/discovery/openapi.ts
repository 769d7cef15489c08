import type { Encoded } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { perHub } from '../../workflows/kernel/perHub.ts';
import { contract30At, contractAt } from './content/contract.ts';

/** Each is a megabyte of text: it is built and written once for a hub and not for each request. */
const once = (contract: typeof contractAt) =>
  perHub(({ settings }) => ({ body: contract(settings.baseUrl), encoded: {} as Encoded }));
const made = { '3.1': once(contractAt), '3.0': once(contract30At) };

/** The contract from memory, with this hub as its server, so a tool can use it as it is. */
export const openapi: Handler<'discovery.openapi'> = async ({ query: { version } }, hub) => ({
  status: 200,
  ...made[version](hub),
});
