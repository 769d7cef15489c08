import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** mem0's library with its own local stores, its embedder and model answered from here. */
export interface Mem0 {
  add(content: string, infer: boolean): Promise<void>;
  /** Puts notes straight into its vector store, which is quicker. */
  fill(contents: readonly string[]): Promise<void>;
  /** The contents that it finds, best first. */
  search(question: string, most: number): Promise<readonly string[]>;
}

interface Library {
  readonly Memory: new (config: object) => Memory;
}

interface Memory {
  add(
    messages: readonly object[],
    options: object,
  ): Promise<{ readonly results: readonly object[] }>;
  search(
    question: string,
    options: object,
  ): Promise<{ readonly results: readonly { readonly memory: string }[] }>;
  embedder: object;
  llm: object;
  readonly vectorStore: {
    insert(
      vectors: readonly (readonly number[])[],
      ids: readonly string[],
      payloads: readonly object[],
    ): Promise<void>;
  };
}

const LIBRARY = fileURLToPath(
  new URL('memory/node_modules/mem0ai/dist/oss/index.mjs', import.meta.url),
);
const DIMENSIONS = 768;

export async function openMem0(
  folder: string,
  embedding: (text: string) => readonly number[],
): Promise<Mem0> {
  process.env['MEM0_TELEMETRY'] = 'false';
  await mkdir(folder, { recursive: true });
  const { Memory } = (await import(LIBRARY)) as Library;
  const nobody = { apiKey: 'none', model: 'none', embeddingDims: DIMENSIONS };
  const memory = new Memory({
    embedder: { provider: 'openai', config: nobody },
    llm: { provider: 'openai', config: nobody },
    vectorStore: {
      provider: 'memory',
      config: {
        collectionName: 'bench',
        dimension: DIMENSIONS,
        dbPath: join(folder, 'vectors.db'),
      },
    },
    historyDbPath: join(folder, 'history.db'),
  });
  let fact = '';
  memory.embedder = {
    embed: (text: string) => Promise.resolve(embedding(text)),
    embedBatch: (texts: readonly string[]) => Promise.resolve(texts.map(embedding)),
  };
  memory.llm = {
    generateResponse: () =>
      Promise.resolve(JSON.stringify({ memory: [{ id: '0', text: fact, attributed_to: 'user' }] })),
  };
  return {
    fill: (contents) =>
      memory.vectorStore.insert(
        contents.map(embedding),
        contents.map(() => randomUUID()),
        contents.map((data) => ({ data, textLemmatized: data, hash: data, user_id: 'u' })),
      ),
    async search(question, most) {
      const options = { topK: most, threshold: 0, filters: { user_id: 'u' } };
      const { results } = await memory.search(question, options);
      return results.map((each) => each.memory);
    },
    async add(content, infer) {
      fact = content;
      const { results } = await memory.add([{ role: 'user', content }], { userId: 'u', infer });
      if (results.length !== 1) throw new Error(`mem0 stored ${results.length} memories`);
    },
  };
}
