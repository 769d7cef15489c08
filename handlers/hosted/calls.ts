import { readAnyHosted } from '../../db/hosted/agents.ts';
import { connectedUntil } from '../../db/hosted/connections.ts';
import { hostedCallPage } from '../../db/hosted/calls.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { mustOwn } from '../../workflows/passport/own.ts';
import { noHosted } from '../../workflows/hosted/given.ts';
import { visitsWritten } from '../../workflows/hosted/note.ts';
import { presentHostedCall, presentState } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';

export const calls: Handler<'hosted.calls'> = async ({ path, query, caller }, hub) => {
  const { keyId } = path;
  const { limit, cursor: after } = query;
  await visitsWritten(hub);
  const body = await hub.store.read(async (db) => {
    await mustOwn(db, caller, keyId, 'path.keyId');
    const agent = (await readAnyHosted(db, keyId)) ?? noHosted(keyId);
    const connected = await connectedUntil(db, keyId);
    const page = await hostedCallPage(db, keyId, { limit, ...defined({ before: after }) });
    const { rows, shown, more } = cutPage(page.calls, limit, presentHostedCall);
    const cut = { rows, more: more || page.next !== undefined };
    return {
      ...presentState(agent, connected),
      ...envelopeOf(cut, limit, ({ id }) => id),
      calls: shown,
    };
  });
  return { status: 200, body };
};
