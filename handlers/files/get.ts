import { readFile, type StoredFile } from '../../db/files/files.ts';
import type { Reader } from '../../db/store.ts';
import { iso } from '../../domain/instant.ts';
import { fileReadPrice } from '../../domain/memory/limits.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Call } from '../../server/hub/call.ts';
import { charge, knownPayingNetwork } from '../../workflows/metering/charge.ts';

/** No browser shows what somebody stored as a page of the hub's. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-disposition': 'attachment',
} as const;

/** Reads a file of the owner's and takes its price; the bytes go out as they are read. */
export const get: Handler<'files.get'> = async (call, hub) => {
  const network = await knownPayingNetwork(hub, call.query.network, 'query.network');
  const { object } = await hub.store.read((db) => fileOf(db, call));
  // Opened before it is paid for: what cannot be read costs nothing.
  const source = await hub.files.open(object);
  try {
    const body = await hub.act(call, async (tx) => {
      const { owner, key, bytes, sha256, at, object: now } = await fileOf(tx, call);
      if (now !== object) refuse('busy', { error: 'The file was replaced while it was read.' });
      const paid = await charge(tx, hub, {
        account: owner,
        network,
        amount: fileReadPrice(bytes),
        reason: 'file.read',
        ref: { kind: 'file', id: key },
      });
      return { owner, key, bytes, sha256, at: iso(at), contentBase64: '', charge: paid };
    });
    return { status: 200, headers: HEADERS, body, streamed: { field: 'contentBase64', source } };
  } catch (thrown) {
    source.destroy();
    throw thrown;
  }
};

async function fileOf(db: Reader, { path }: Call<'files.get'>): Promise<StoredFile> {
  const found = await readFile(db, path.owner, path.key);
  return (
    found ??
    refuse('not-found', {
      error: `You have no file under the key ${JSON.stringify(path.key)}.`,
      hint: 'Keys are compared letter by letter; percent-encode the key as one segment of the path.',
    })
  );
}
