import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentSubmission } from './present/submission.ts';
import { submitAddress } from '../../workflows/registry/submission.ts';

export const submitMcp: Handler<'registry.submitMcp'> = async ({ body, caller }, hub) => ({
  status: 202,
  body: presentSubmission(hub, await submitAddress(hub, { url: body.url, kind: 'mcp', caller })),
});
