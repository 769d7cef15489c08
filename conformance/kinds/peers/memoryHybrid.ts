// How often the right note is found: by words, by vectors, by both, and by sqlite-vec and mem0 with
// the same vectors. The notes and questions are made (conformance/memory/noteSet.txt), and the
// vectors are hashes of words, which know no meaning, so a model of meaning would find more.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashedWords, HASHED_WORDS } from '../../../domain/models/hashedWords.ts';
import { line } from '../bench/harness.mjs';
import {
  closeCallers,
  fund,
  newCaller,
  startHub,
  type Body,
  type Caller,
} from '../bench/taskClient.ts';
import { openMem0 } from './memoryMem0.ts';
import { rawSqliteVec } from './memoryPeers.ts';

const SET = new URL('../../memory/noteSet.txt', import.meta.url);
const DIMENSIONS = 768;
const FIRST = 5;
const SPACES = '/api/v1/memory/spaces';

interface Asked {
  readonly note: string;
  readonly question: string;
}

const set: readonly Asked[] = readFileSync(SET, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((each) => {
    const [, note = '', question = ''] = each.split(' | ');
    return { note, question };
  });

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const { port, child } = await startHub(`sqlite:${join(folder, 'hub.sqlite')}`, folder);
try {
  const alice = newCaller(port);
  await fund(port, alice, 1);
  const made = { owner: alice.account, name: 'bench', model: HASHED_WORDS.id };
  const { id: spaceId } = await alice.post(SPACES, made);
  const notes = set.map(({ note }) => ({ content: note }));
  await alice.post(`${SPACES}/${String(spaceId)}/import`, { owner: alice.account, notes });
  line(`${set.length} made notes and questions in 12 languages, vectors of hashed words`);
  for (const by of ['text', 'embedding', 'both']) {
    await report(`the hub by ${by}`, (question) =>
      hubFinds(alice, { spaceId, by, text: question }),
    );
  }
  const vectors = set.map(({ note }) => hashedWords(note, DIMENSIONS));
  const peer = await rawSqliteVec(join(folder, 'vec.sqlite'), vectors);
  await report('sqlite-vec', async (question) => {
    const found = await peer.search(hashedWords(question, DIMENSIONS));
    return found.slice(0, FIRST).map((no) => set[no]?.note);
  });
  await peer.close();
  const mem0 = await openMem0(join(folder, 'mem0'), (text) => [...hashedWords(text, DIMENSIONS)]);
  for (const { note } of set) await mem0.add(note, false);
  await report('mem0', (question: string) => mem0.search(question, FIRST));
} finally {
  child.kill();
  closeCallers();
  rmSync(folder, { recursive: true, force: true });
}

async function hubFinds(reader: Caller, asked: Body): Promise<readonly unknown[]> {
  const body = { reader: reader.account, limit: FIRST, ...asked };
  const { results } = await reader.post('/api/v1/memory/search', body);
  return (results as readonly Body[]).map(({ content }) => content);
}

async function report(
  name: string,
  find: (question: string) => Promise<readonly unknown[]>,
): Promise<void> {
  let [first, among] = [0, 0];
  for (const { note, question } of set) {
    const found = await find(question);
    if (found[0] === note) first += 1;
    if (found.includes(note)) among += 1;
  }
  line(`  ${name}: first ${first}, among the first ${FIRST} ${among} of ${set.length}`);
}
