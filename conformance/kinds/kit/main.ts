#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';
import { CannotRun, meet } from './meet.ts';
import { HELP, readOptions, WrongWord, type Options } from './options.ts';
import { waitForLimits } from './limits.ts';
import { html } from './reports/html.ts';
import { junit } from './reports/junit.ts';
import { json } from './reports/json.ts';
import { fileLine, summary } from './reports/text.ts';
import { exitCodeOf, type Run } from './results.ts';
import { choose } from './target.ts';

/** `hub-conformance`: the black-box part of the suite against a running hub. */
const WRITERS = { junit, json, html };

async function main(words: readonly string[]): Promise<number> {
  const options = readOptions(words);
  if (options === 'help') return say(HELP);
  const { document } = await import('../../harness/contract.ts');
  if (options === 'version') return say(`${document.info.version}\n`);
  choose(await meet(options));
  waitForLimits();
  const run = await runAll(options, document.info.version);
  for (const { format, path } of options.reports) await writeFile(path, WRITERS[format](run));
  process.stdout.write(summary(run));
  return exitCodeOf(run.results);
}

async function runAll({ url, areas, seed, runs }: Options, version: string): Promise<Run> {
  // The tests read these as they are loaded.
  Object.assign(process.env, {
    FUZZ_SEED: String(seed),
    FUZZ_RUNS: String(runs),
    FUZZ_AREAS: areas.includes('fuzz') ? '' : areas.join(','),
  });
  const { askAll, operationsSeen } = await import('./askAll.ts');
  const startedAt = new Date();
  process.stdout.write(`hub-conformance ${version} asks ${url}, seed ${seed}\n\n`);
  const results = await askAll(areas, (file, of) => process.stdout.write(fileLine(file, of)));
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
  const operations = operationsSeen(areas);
  return { version, url, seed, startedAt: startedAt.toISOString(), seconds, results, operations };
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

async function coded(words: readonly string[]): Promise<number> {
  try {
    return await main(words);
  } catch (error) {
    const isExpected = error instanceof WrongWord || error instanceof CannotRun;
    process.stderr.write(`${isExpected ? error.message : String(error)}\n`);
    return 2;
  }
}

const exitCode = await coded(process.argv.slice(2));
// Flushes the output, then exits: a suite that was not asked may leave a server listening.
process.stdout.write('', () => process.exit(exitCode));
