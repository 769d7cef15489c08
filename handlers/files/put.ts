import type { StoredFile } from '../../db/files/files.ts';
import { FILE_BYTES_MAX, fileWritePrice } from '../../domain/memory/limits.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import { HubError, refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Call, Upload } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { joined, partsNamed } from '../../workflows/files/join.ts';
import * as file from '../../workflows/files/put.ts';
import { chargeInside, payingNetwork } from '../../workflows/metering/charge.ts';

/** Times that a content is stored again because it was swept before the commit. */
const TRIES_MAX = 3;

/** Stores a file under a key of the owner's and takes its price in the unit that makes it one. */
export const put: Handler<'files.put'> = async (call, hub) => {
  const given = bytesGiven(call);
  await admitNow(hub, call.caller);
  const bytes = given ?? (await partsOrError(call, hub));
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    try {
      return { status: 200, body: await putOnce(call, hub, bytes) };
    } catch (thrown) {
      if (!(thrown instanceof file.ContentGone)) throw thrown;
    }
  }
  return refuse('busy');
};

/** The bytes of a new file: those that came, those of its parts, or why there are none. */
type Bytes = Upload | readonly StoredFile[] | HubError;

async function putOnce(call: Call<'files.put'>, hub: Hub, given: Bytes) {
  const { owner, key, network: named } = call.body;
  const bytes = sizeOf(given);
  const isAble = await hub.store.read(async (db) => {
    const network = await payingNetwork(hub, db, named, 'body.network');
    return !(given instanceof HubError) && file.canStore(db, { owner, key }, bytes, network);
  });
  const upload = isAble ? await uploadOf(hub, given) : undefined;
  const stored = upload && (await file.storeContent(hub, upload));
  try {
    return await hub.once(call, async (tx) => {
      if (given instanceof HubError) throw given;
      const network = await payingNetwork(hub, tx, named, 'body.network');
      const sha256 = upload?.sha256 ?? '';
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
    // An upload that came with the request is removed when that ends.
    if (upload !== given) await upload?.discard();
  }
}

function sizeOf(given: Bytes): number {
  if (given instanceof HubError) return 0;
  return isParts(given) ? given.reduce((sum, part) => sum + part.bytes, 0) : given.bytes;
}

function isParts(given: Bytes): given is readonly StoredFile[] {
  return Array.isArray(given);
}

async function uploadOf(hub: Hub, given: Bytes): Promise<Upload | undefined> {
  if (given instanceof HubError) return undefined;
  return isParts(given) ? joined(hub, given) : given;
}

/** A refusal of a part waits for the look for a replay: after the first call they may be deleted. */
async function partsOrError({ body }: Call<'files.put'>, hub: Hub): Promise<Bytes> {
  try {
    return await partsNamed(hub, body.owner, body.parts ?? []);
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

/** The file that came with the call; undefined where the call names parts in its place. */
function bytesGiven({ body, request }: Call<'files.put'>): Upload | undefined {
  const { upload, fileBytesMax = FILE_BYTES_MAX } = request;
  const field = 'body.contentBase64';
  if ((upload === undefined) === (body.parts === undefined)) {
    const error = 'A file is made of contentBase64 or of parts, of one of the two.';
    refuse(upload === undefined ? 'missing-field' : 'not-together', { error, field });
  }
  if (upload === undefined) return undefined;
  if (!upload.isBase64)
    refuse('bad-base64', { error: `${field} is not base64 with padding.`, field });
  if (upload.bytes > fileBytesMax) {
    refuse('file-too-large', {
      error: `The file has ${upload.bytes} bytes; at most ${fileBytesMax} are taken.`,
      ...(fileBytesMax < FILE_BYTES_MAX && {
        hint: `Split the file and send the call again for each part under a key of its own, then once with \`parts\` in place of contentBase64, which joins them; or send the whole file over HTTP, to the path /api/v1/files, which takes ${FILE_BYTES_MAX} bytes. Nothing was charged.`,
      }),
      field,
    });
  }
  return upload;
}
