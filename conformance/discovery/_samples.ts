import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blocks, type Block } from './_pages.ts';
import { run } from './_run.ts';

/** Programs of a page, run as a reader would save them, and held against the output of the page. */
const ADDRESS = 'http://127.0.0.1:4020';
/** Within the process of the program, so that a signal reaches it. */
const TYPESCRIPT = ['--import', import.meta.resolve('tsx')];
const CLIENT: Readonly<Record<string, string>> = {
  '@agent-exchange/client': resolve('clients/typescript/index.ts'),
  '@agent-exchange/client/node': resolve('clients/typescript/node.ts'),
};

/** A program with what the page says that it prints: the `text` block after it. */
export interface Sample {
  readonly text: string;
  readonly prints: string | undefined;
}

export function samplesOf(page: string, language: string): readonly Sample[] {
  const own = blocks.filter((block) => block.page === page);
  return own.flatMap((block: Block, place) => {
    if (block.language !== language) return [];
    const next = own[place + 1];
    return [{ text: block.text, prints: next?.language === 'text' ? next.text : undefined }];
  });
}

/** Saves a program so that it finds its packages and the hub; returns its arguments for Node. */
function saved(text: string, folder: string, hub: string): readonly string[] {
  const found = text.replaceAll(ADDRESS, hub).replace(/from '([^']+)'/g, (whole, name: string) => {
    if (name.startsWith('node:')) return whole;
    const path = CLIENT[name];
    const place = path === undefined ? import.meta.resolve(name) : pathToFileURL(path).href;
    return `from '${place}'`;
  });
  const file = join(folder, 'sample.mts');
  writeFileSync(file, found);
  return [...TYPESCRIPT, file];
}

/** Runs a program to its end and compares its output, in which `…` stands for any text. */
export async function mustPrint(
  { text, prints }: Sample,
  folder: string,
  hub: string,
): Promise<void> {
  const { code, stdout, stderr } = await run(process.execPath, saved(text, folder, hub), folder);
  assert.equal(code, 0, stderr);
  assert.ok(prints !== undefined, 'the page says what the program prints');
  const pieces = prints.split('…').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  assert.match(stdout, new RegExp(`^${pieces.join('[^]*?')}$`));
}

/** Starts a program that runs until it is killed; resolves at its first line. */
export async function started(
  { text, prints }: Sample,
  folder: string,
  hub: string,
): Promise<ChildProcess> {
  return startedProcess(process.execPath, saved(text, folder, hub), folder, prints ?? '\n');
}

/** Starts a process and resolves when it has printed `prints`. */
export function startedProcess(
  command: string,
  words: readonly string[],
  cwd: string,
  prints: string,
): Promise<ChildProcess> {
  const child = spawn(command, words, { cwd });
  let printed = '';
  return new Promise((found, fail) => {
    const read = (data: Buffer): void => {
      printed += String(data);
      if (printed.includes(prints)) found(child);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => fail(new Error(`it ended with ${code}: ${printed}`)));
  });
}
