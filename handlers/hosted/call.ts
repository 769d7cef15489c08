import { hostedAddresses, type HostedAgent } from '../../domain/hosted/agent.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { AgentResponse } from '../../server/hub/hub.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { forwardTool, visitLimits } from '../../workflows/hosted/forward.ts';
import { noteVisit } from '../../workflows/hosted/note.ts';
import { refuseUnpaid } from '../../workflows/hosted/quote.ts';
import { UNTRUSTED_ANSWERS } from '../untrusted.ts';
import { mustBeHosted } from '../../workflows/hosted/given.ts';

/** Calls a free tool for somebody without an account; a priced one answers with its price. */
export const call: Handler<'hosted.call'> = async (
  { path, body, header, caller, request },
  hub,
) => {
  const agent = await hub.store.read((db) => mustBeHosted(db, path.keyId));
  const { tool, arguments: args = {} } = body;
  mustBeFree(
    agent,
    tool,
    header['x-payment'],
    hostedAddresses(hub.settings.baseUrl, agent.keyId).mcp,
  );
  const startedAt = hub.clock.elapsedMs();
  const asked = { caller: `visitor ${caller.ip}`, tool, args };
  const response = await forwardTool(hub, agent, asked, visitLimits(request.gone));
  const durationMs = Math.max(0, Math.round(hub.clock.elapsedMs() - startedAt));
  const { outcome, why } = outcomeOf(response);
  const { keyId } = agent;
  await noteVisit(hub, { keyId, tool, outcome, why, durationMs });
  const result = response.kind === 'result' ? { result: response.result } : {};
  const answer = { callId: hub.ids.uuid(), outcome, why, durationMs, ...result };
  return { status: 200, body: { ...answer, ...UNTRUSTED_ANSWERS } };
};

function mustBeFree(
  agent: HostedAgent,
  name: string,
  payment: string | undefined,
  address: string,
): void {
  const tool = agent.tools.find((each) => each.name === name);
  if (tool === undefined) {
    refuse('not-found', {
      error: `The agent ${agent.listingId} has no tool ${name}.`,
      hint: `It has: ${agent.tools.map((each) => each.name).join(', ')}.`,
      field: 'body.tool',
    });
  }
  const { price } = tool;
  if (price !== undefined) refuseUnpaid({ agent, tool: name, price, address }, payment);
}

type Outcome = 'served' | 'failed' | 'refused' | 'unknown';

function outcomeOf(response: AgentResponse): { readonly outcome: Outcome; readonly why: string } {
  switch (response.kind) {
    case 'result':
      return response.isError
        ? { outcome: 'failed', why: 'The tool said that it failed.' }
        : { outcome: 'served', why: 'It served.' };
    case 'failed': {
      const { reason, message: why } = response;
      if (reason === 'busy') return { outcome: 'refused', why };
      return { outcome: reason === 'timeout' ? 'unknown' : 'failed', why };
    }
    case 'quote':
    case 'key-needed':
    case 'refused':
      return { outcome: 'failed', why: response.message };
  }
}
