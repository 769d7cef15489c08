import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createHub, generateKey, unwrap } from '../../../clients/typescript/index.ts';
import { bringKey, looksRight, outliveReload } from './people.mjs';

/** All stored things are made, found, changed and given up. One press alone destroys nothing. */
const LARGE_BYTES = 8_000_000;
const HOSTILE = '<img src=x onerror=alert(1)>';

export async function storage({ open, world, url, report }) {
  const key = await generateKey();
  const hub = createHub({ baseUrl: url, key });
  const params = { path: { owner: hub.account } };
  const body = { amount: '1000000' };
  unwrap(await hub.POST('/api/v1/wallet/{owner}/credit', { params, body }));
  const page = await open();
  await page.goto('/app/account/storage');
  await bringKey(page, key);
  await page.getByRole('heading', { name: 'Your storage' }).waitFor();
  await spaces(page);
  report('a space is made, renamed and found again after a reload');
  await notes(page);
  report('notes are written, searched, moved to another key and deleted');
  await carries(page);
  report('a space is saved as a file, and its lines are brought in again');
  await files(page);
  report('a file is uploaded, dropped, replaced, shown, downloaded, renamed and deleted');
  await deletesSpace(page);
  report('the space is deleted at the second press');
  await hosted(page, { hub, key, world });
  report('a listing is renamed and taken down');
}

const spacesOf = (page) => page.getByRole('list', { name: 'Spaces' });
const notesOf = (page) => page.getByRole('list', { name: 'Notes of this space' });
const filesOf = (page) => page.getByRole('list', { name: 'Files' });

const change = (page, name) => page.getByText(`Change ${name}`, { exact: true }).click();

async function spaces(page) {
  const name = page.getByLabel('Name of a new space');
  await name.fill('tides');
  await outliveReload(page, name);
  await page.getByRole('button', { name: 'Make a space' }).click();
  await page.getByRole('heading', { name: 'Notes in tides' }).waitFor();
  await page.getByText('There is no note in it.').waitFor();
  await change(page, 'tides');
  await page.getByLabel('Name of the space', { exact: true }).fill('sea');
  await page.getByRole('button', { name: 'Rename tides' }).click();
  await spacesOf(page).getByRole('link', { name: 'sea' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Notes in sea' }).waitFor();
}

async function notes(page) {
  const write = page.getByRole('form', { name: 'Write a note' });
  for (const [key, content] of [
    ['high', 'High water is at seven.'],
    ['hostile', HOSTILE],
  ]) {
    await write.getByLabel('Key of the note').fill(key);
    await write.getByLabel('Text of the note').fill(content);
    await write.getByRole('button', { name: 'Write a note' }).click();
    await notesOf(page).getByText(content).waitFor();
  }
  await spacesOf(page).getByText('2 notes').waitFor();
  await page.getByLabel('Words to search for').fill('when is high water');
  await page.getByRole('button', { name: 'Search the notes' }).click();
  await page.getByRole('list', { name: 'Notes found' }).getByText('at seven').waitFor();
  await looksRight(page);
  await change(page, 'high');
  const save = page.getByRole('form', { name: 'Save high' });
  await save.getByLabel('Key of the note').fill('tide/high');
  await save.getByLabel('Text of the note').fill('High water is at eight.');
  await save.getByRole('button', { name: 'Save high' }).click();
  await notesOf(page).getByText('at eight').waitFor();
  await notesOf(page).getByText('at seven').waitFor({ state: 'detached' });
  await change(page, 'hostile');
  await page.getByRole('button', { name: 'Delete hostile', exact: true }).click();
  await page.getByText('Delete this note with its history?').waitFor();
  await notesOf(page).getByText(HOSTILE).waitFor();
  await page.getByRole('button', { name: 'Yes, delete it for good' }).click();
  await notesOf(page).getByText(HOSTILE).waitFor({ state: 'detached' });
}

/** Notes that are there already, word for word, are brought in at no cost. */
async function carries(page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save sea as a file' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'sea.jsonl');
  const text = readFileSync(await download.path(), 'utf8');
  const lines = text.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).line),
    ['space', 'note', 'end'],
  );
  await page.getByLabel('Bring notes into sea').setInputFiles({
    name: 'sea.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(`${text}\n{"line":"note","key":"low","content":"Low water is at one."}`),
  });
  await page.getByRole('button', { name: 'Bring them in, in 1 call' }).click();
  await page.getByText('4 lines were brought into sea.').waitFor();
  await spacesOf(page).getByText('2 notes').waitFor();
  await looksRight(page);
}

async function files(page) {
  const input = page.locator('.drop input[type=file]');
  const give = (name, text) =>
    input.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await give('tide ü.txt', 'low water');
  const key = page.getByLabel('Key of the file');
  assert.equal(await key.inputValue(), 'tide _.txt');
  await key.fill('tide.txt');
  await page.getByRole('button', { name: 'Store the file' }).click();
  await page.getByText('tide.txt is stored.').waitFor();
  await drops(page, 'tide.txt', 'high water');
  await page.getByText('tide.txt, 10 bytes').waitFor();
  await page.getByRole('button', { name: 'Store the file' }).click();
  await page.getByText('You have a file tide.txt. Replace it?').waitFor();
  await filesOf(page).getByText('9 bytes').waitFor();
  await looksRight(page);
  await page.getByRole('button', { name: 'Yes, replace it' }).click();
  await filesOf(page).getByText('10 bytes').waitFor();
  await page.getByRole('button', { name: 'Show tide.txt' }).click();
  await page.getByLabel('Content of tide.txt').getByText('high water').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download tide.txt' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'tide.txt');
  assert.equal(readFileSync(await download.path(), 'utf8'), 'high water');
  await change(page, 'tide.txt');
  await page.getByLabel('New key').fill('sea/tide.txt');
  await page.getByRole('button', { name: 'Rename tide.txt' }).click();
  await filesOf(page).getByText('sea/tide.txt', { exact: true }).waitFor();
  // More than a browser keeps for a page, where calls wait for their answer.
  await give('large.bin', 'x'.repeat(LARGE_BYTES));
  await page.getByRole('button', { name: 'Store the file' }).click();
  await filesOf(page).getByText('8.0 MB').waitFor();
  await page.getByLabel('Keys that begin with').fill('none');
  await page.getByText('There is no file here.').waitFor();
  await page.getByLabel('Keys that begin with').fill('sea/');
  await change(page, 'sea/tide.txt');
  await page.getByRole('button', { name: 'Delete sea/tide.txt', exact: true }).click();
  await page.getByText('Delete sea/tide.txt, 10 bytes?').waitFor();
  await page.getByRole('button', { name: 'Yes, delete it for good' }).click();
  await page.getByText('There is no file here.').waitFor();
}

/** Drops a file as a person does, on the box that takes it. */
async function drops(page, name, text) {
  const dataTransfer = await page.evaluateHandle(
    ([named, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content], named, { type: 'text/plain' }));
      return data;
    },
    [name, text],
  );
  const box = page.locator('.drop');
  await box.dispatchEvent('dragover', { dataTransfer });
  await box.dispatchEvent('drop', { dataTransfer });
}

async function deletesSpace(page) {
  await change(page, 'sea');
  await page.getByRole('button', { name: 'Delete sea', exact: true }).click();
  await page.getByText('Delete the space sea with its 2 notes').waitFor();
  await spacesOf(page).getByRole('link', { name: 'sea' }).waitFor();
  await page.getByRole('button', { name: 'Yes, delete it for good' }).click();
  await page.getByText('You have no space yet.').waitFor();
  assert.equal(new URL(page.url()).search, '');
}

async function hosted(page, { hub, key: { keyId }, world }) {
  await page.getByText('You have none. An agent publishes one with its key.').waitFor();
  const tools = [{ name: 'echo', description: 'Says it again.' }];
  const offer = { owner: hub.account, keyId, endpoint: world.agent, name: 'Tide tables', tools };
  unwrap(await hub.POST('/api/v1/hosted', { body: offer }));
  await page.reload();
  const list = page.getByRole('list', { name: 'Listings under this hub' });
  await list.getByText('calls get through').waitFor();
  await change(page, 'Tide tables');
  await page.getByLabel('Name of the listing').fill('Tides of the sea');
  await page.getByRole('button', { name: 'Rename Tide tables' }).click();
  await list.getByRole('link', { name: 'Tides of the sea' }).waitFor();
  await page.getByRole('button', { name: 'Take Tides of the sea down', exact: true }).click();
  await page.getByText('Take Tides of the sea out of the index?').waitFor();
  const params = { path: { id: keyId } };
  assert.equal(unwrap(await hub.GET('/api/v1/agents/{id}', { params })).name, 'Tides of the sea');
  await page.getByRole('button', { name: 'Yes, take it down' }).click();
  await list.getByText('taken down', { exact: true }).waitFor();
  const gone = await hub.GET('/api/v1/agents/{id}', { params });
  assert.equal(gone.response.status, 404);
  await looksRight(page);
}
