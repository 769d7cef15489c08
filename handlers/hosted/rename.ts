import { connectedUntil } from '../../db/hosted/connections.ts';
import { defined } from '../../domain/defined.ts';
import { cleanLine } from '../../domain/registry/text.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { rename as renameListing } from '../../workflows/hosted/rename.ts';
import { mustOwn } from '../../workflows/passport/own.ts';
import { presentEntry } from './present.ts';

export const rename: Handler<'hosted.rename'> = async (call, hub) => {
  const { keyId } = call.path;
  const { owner } = call.body;
  const body = await hub.once(call, async (tx) => {
    await mustOwn(tx, call.caller, keyId, 'path.keyId');
    const name = cleanLine(call.body.name, 120) ?? refuseName();
    const agent = await renameListing(tx, hub, keyId, name);
    const connected = await connectedUntil(tx, keyId);
    return presentEntry(hub, owner, { agent, ...defined({ connected }) });
  });
  return { status: 200, body };
};

function refuseName(): never {
  return refuse('bad-request', {
    error: 'The name has no character that a reader sees.',
    hint: 'Send a name of letters or digits, at most 120 characters.',
    field: 'body.name',
  });
}
