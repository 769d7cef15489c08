import { fileReadPrice } from '../../domain/memory/limits.ts';
import type { StoredFile } from '../../db/files/files.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { fileUnder } from '../../workflows/files/given.ts';
import { ATTACHED } from './present.ts';
import { chargeInside, knownPayingNetwork } from '../../workflows/metering/charge.ts';

export const get: Handler<'files.get'> = async (call, hub) => {
  const network = await knownPayingNetwork(hub, call.query.network, 'query.network');
  const found = await hub.store.read((db) => fileUnder(db, call.path));
  mustCarry(found, call.request.fileBytesMax);
  // Opened before it is paid for: what cannot be read costs nothing.
  const source = await hub.files.open(found.object);
  try {
    const body = await hub.act(call, async (tx) => {
      const { owner, key, bytes, sha256, at, object } = await fileUnder(tx, call.path);
      if (object !== found.object)
        refuse('busy', { error: 'The file was replaced while it was read.' });
      const paid = await chargeInside(tx, hub, {
        account: owner,
        network,
        amount: fileReadPrice(bytes),
        reason: 'file.read',
        ref: { kind: 'file', id: key },
      });
      return { owner, key, bytes, sha256, at, contentBase64: '', charge: paid };
    });
    return { status: 200, headers: ATTACHED, body, streamed: { field: 'contentBase64', source } };
  } catch (thrown) {
    source.destroy();
    throw thrown;
  }
};

/** @throws HubError `file-too-large`, before anything is charged, where the door cannot carry it. */
function mustCarry({ owner, key, bytes }: StoredFile, most = bytes): void {
  if (bytes <= most) return;
  const path = `/api/v1/files/${owner}/${encodeURIComponent(key)}`;
  refuse('file-too-large', {
    error: `The file has ${bytes} bytes; at most ${most} are handed out here.`,
    hint: `Send the call again over HTTP, to the path ${path}. Nothing was charged.`,
  });
}
