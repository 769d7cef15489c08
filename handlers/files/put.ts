import { FILE_BYTES_MAX, fileWritePrice } from '../../domain/memory/limits.ts';
import { admitNow } from '../../server/hub/admission.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Call, Upload } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import * as file from '../../workflows/files/put.ts';
import { chargeInside, payingNetwork } from '../../workflows/metering/charge.ts';

/** Times that a content is stored again because it was swept before the commit. */
const TRIES_MAX = 3;

/** Stores a file under a key of the owner's and takes its price in the unit that makes it one. */
export const put: Handler<'files.put'> = async (call, hub) => {
  const upload = uploadGiven(call);
  await admitNow(hub, call.caller);
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    try {
      return { status: 200, body: await putOnce(call, hub, upload) };
    } catch (thrown) {
      if (!(thrown instanceof file.ContentGone)) throw thrown;
    }
  }
  return refuse('busy');
};

async function putOnce(call: Call<'files.put'>, hub: Hub, upload: Upload) {
  const { owner, key, network: named } = call.body;
  const { bytes, sha256 } = upload;
  const isAble = await hub.store.read(async (db) => {
    const network = await payingNetwork(hub, db, named, 'body.network');
    return file.canStore(db, { owner, key }, bytes, network);
  });
  const stored = isAble ? await file.storeContent(hub, upload) : undefined;
  try {
    return await hub.once(call, async (tx) => {
      const network = await payingNetwork(hub, tx, named, 'body.network');
      const of = { owner, key, bytes, sha256, object: stored?.object };
      const {
        paid,
        replaced,
        bytesLeft,
        file: made,
      } = await file.replaceFile(tx, hub, of, () =>
        chargeInside(tx, hub, {
          account: owner,
          network,
          amount: fileWritePrice(bytes),
          reason: 'file.write',
          ref: { kind: 'file', id: key },
        }),
      );
      return { owner, key, bytes, sha256, replaced, at: made.at, bytesLeft, charge: paid };
    });
  } finally {
    if (stored !== undefined) await file.giveUp(hub, stored);
  }
}

function uploadGiven({ request }: Call<'files.put'>): Upload {
  const { upload, fileBytesMax = FILE_BYTES_MAX } = request;
  if (upload === undefined) throw new Error('the door received no file');
  const field = 'body.contentBase64';
  if (!upload.isBase64)
    refuse('bad-base64', { error: `${field} is not base64 with padding.`, field });
  if (upload.bytes > fileBytesMax) {
    refuse('file-too-large', {
      error: `The file has ${upload.bytes} bytes; at most ${fileBytesMax} are taken.`,
      ...(fileBytesMax < FILE_BYTES_MAX && {
        hint: `Split the file and send the call again for each part under a key of its own, or send the whole file over HTTP, to the path /api/v1/files, which takes ${FILE_BYTES_MAX} bytes. Nothing was charged.`,
      }),
      field,
    });
  }
  return upload;
}
