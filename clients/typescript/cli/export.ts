import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../../domain/lines.ts';
import { items, ndjson, unwrap, type Hub } from '../index.ts';
import { wordsOf, type Call, type Command } from './command.ts';
import { openSession, ownerOf } from './session.ts';
import { facts, progress, show } from './show.ts';

const PAGE = 200;

export const exportAccount: Command = {
  usage: 'export FOLDER',
  summary: 'writes everything that the hub stores about the account',
  help: `  rows.ndjson     each row of the database, with the name of its table
  spaces/         a file for each memory space, which memory.import takes again
  files/          the files of the account; reading them costs what files.get costs
`,
  run: async (call) => {
    const [folder = ''] = wordsOf(call, 'FOLDER');
    const { hub } = await openSession(call);
    const owner = await ownerOf(hub);
    await mkdir(folder, { recursive: false, mode: 0o700 });
    const status = progress(call.io);
    const rows = await writeLines(join(folder, 'rows.ndjson'), rowsOf(call, hub, owner));
    status.say(`${rows} rows`);
    const spaces = await saveSpaces(call, hub, join(folder, 'spaces'));
    const files = await saveFiles(call, hub, owner, join(folder, 'files'));
    status.end();
    show(call, { owner, folder, rows, spaces, files }, () =>
      facts(call.io, [
        ['account', owner],
        ['rows', rows],
        ['spaces', spaces],
        ['files', files],
        ['folder', folder],
      ]),
    );
    return 0;
  },
};

function rowsOf(call: Call, hub: Hub, owner: string): AsyncIterable<unknown> {
  const params = { path: { owner }, query: { limit: PAGE } };
  return items(hub, '/api/v1/wallet/{owner}/export', 'rows', { params, signal: call.io.signal });
}

async function saveSpaces(call: Call, hub: Hub, folder: string): Promise<number> {
  await mkdir(folder);
  const params = { query: { limit: PAGE } };
  const list = items(hub, '/api/v1/memory/spaces', 'spaces', { params, signal: call.io.signal });
  let count = 0;
  for await (const { id } of list) {
    const answer = await hub.GET('/api/v1/memory/spaces/{id}/export', {
      params: { path: { id } },
      parseAs: 'stream',
    });
    await writeLines(join(folder, `${id}.ndjson`), ndjson(answer.response));
    count += 1;
  }
  return count;
}

/** Keys of files may be any text, so a file is named by its number and `index.json` has the keys. */
async function saveFiles(call: Call, hub: Hub, owner: string, folder: string): Promise<number> {
  await mkdir(folder);
  const params = { path: { owner }, query: { limit: PAGE } };
  const list = items(hub, '/api/v1/files/{owner}', 'files', { params, signal: call.io.signal });
  const keys: string[] = [];
  for await (const { key } of list) {
    const path = { owner, key };
    const file = unwrap(await hub.GET('/api/v1/files/{owner}/{key}', { params: { path } }));
    keys.push(key);
    await writeFile(join(folder, String(keys.length)), Buffer.from(file.contentBase64, 'base64'));
  }
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(keys, null, 2)}\n`);
  return keys.length;
}

async function writeLines(path: string, lines: AsyncIterable<unknown>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let count = 0;
  try {
    for await (const line of lines) {
      await file.write(`${oneLine(JSON.stringify(line))}\n`);
      count += 1;
    }
  } finally {
    await file.close();
  }
  return count;
}
