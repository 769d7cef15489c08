import type { Handler } from '../../workflows/kernel/handler.ts';
import { readableFile } from '../../workflows/tasks/readFile.ts';
import { ATTACHED } from '../files/present.ts';

/** Reads a part of a file of a task; its bytes follow as fast as the caller takes them. */
export const file: Handler<'tasks.file'> = async (call, hub) => {
  const { id: taskId, digest: sha256 } = call.path;
  const { file: named, object } = await readableFile(hub, call.caller, { taskId, sha256 });
  const { bytes } = named;
  const offset = Math.min(call.query.offset, bytes);
  const most = Math.min(call.query.length, call.request.fileBytesMax ?? bytes);
  const length = Math.min(bytes - offset, most);
  const end = offset + length;
  // An empty part has no first and no last byte.
  const source =
    length === 0 ? nothing() : await hub.files.open(object, { start: offset, end: end - 1 });
  const body = {
    taskId,
    ...named,
    offset,
    length,
    ...(end < bytes && { nextOffset: end }),
    contentBase64: '',
  };
  return { status: 200, headers: ATTACHED, body, streamed: { field: 'contentBase64', source } };
};

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array(0));
}
