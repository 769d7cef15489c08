import { readFile, renameFile } from '../../db/files/files.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { fileUnder, lockFiles } from '../../workflows/files/given.ts';
import { presentFile } from './present.ts';

/** Puts a file under another key, which is free; nothing is charged. */
export const rename: Handler<'files.rename'> = async (call, hub) => {
  const { owner } = call.path;
  const { to } = call.body;
  const body = await hub.once(call, async (tx) => {
    await lockFiles(tx, hub, owner);
    const found = await fileUnder(tx, call.path);
    if (to === found.key) return presentFile(found);
    if ((await readFile(tx, owner, to)) !== undefined) {
      refuse('name-taken', {
        error: `You have a file under the key ${JSON.stringify(to)}.`,
        hint: 'Take another key, or delete that file first: POST /api/v1/files/{owner}/{key}/delete.',
        field: 'body.to',
      });
    }
    await renameFile(tx, found, to);
    return presentFile({ ...found, key: to });
  });
  return { status: 200, body };
};
