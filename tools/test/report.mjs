/** Prints a run file by file, then mocha's summary; failures that a rerun mends are unsteady. */
import { format } from 'node:util';

const isColoured = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const paint = (code, text) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
const GREEN = 92;
const CYAN = 36;
const RED = 31;
const GREY = 90;

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

export function createReport(files) {
  let failures = [];
  const unsteady = [];
  const total = { passed: 0, failed: 0, skipped: 0 };
  const countsOf = new Map();
  let done = 0;

  return {
    failed: (failure) => failures.push(failure),
    badFiles: () => [...new Set(failures.map(({ file }) => file))],
    /** Discards the counts of a file. Its failures are reported as unsteady if they disappear. */
    setAside(file) {
      const its = failures.filter((each) => each.file === file);
      failures = failures.filter((each) => each.file !== file);
      unsteady.push(...its);
      const counts = countsOf.get(file);
      countsOf.delete(file);
      for (const key of Object.keys(total)) total[key] -= counts?.[key] ?? 0;
      done -= 1;
    },
    /** One file ended: its lines, and what else its worker said meanwhile. */
    file({ file, worker, lines, counts, ms, cpuMs = 0, stray }) {
      done += 1;
      count(file, counts);
      const took = `${seconds(ms)} (${seconds(cpuMs)} of its processor), worker ${worker}`;
      process.stdout.write(`\n${paint(GREY, `[${done}/${files}]`)} ${file} ${paint(GREY, took)}\n`);
      const text = lines
        .join('\n')
        .replaceAll(/\n{2,}/g, '\n')
        .replaceAll(/^\n|\n$/g, '');
      if (text !== '') process.stdout.write(`${text}\n`);
      if (stray !== '') process.stdout.write(`${stray}\n`);
    },
    /** Something failed that no file's own counts name. */
    fail(file, title, why) {
      count(file, { failed: 1 });
      failures.push({ file, format: '  %s) %s:\n     %s\n', words: [title, why] });
    },
    close(ms, workers) {
      const isIdle = total.passed + total.failed === 0;
      if (isIdle) this.fail('the run', 'as a whole', 'ran no test');
      const { passed, failed, skipped } = total;
      const lines = [
        paint(GREEN, `  ${passed} passing`) + paint(GREY, ` (${seconds(ms)}, ${workers} workers)`),
      ];
      if (skipped > 0) lines.push(paint(CYAN, `  ${skipped} pending`));
      if (failed > 0) lines.push(paint(RED, `  ${failed} failing`));
      process.stdout.write(`\n${lines.join('\n')}\n\n`);
      const list = (all) =>
        all.forEach((failure, index) => process.stdout.write(`${shown(failure, index + 1)}\n`));
      list(failures);
      const bad = new Set(failures.map(({ file }) => file));
      const passedAlone = unsteady.filter(({ file }) => !bad.has(file));
      if (passedAlone.length > 0) {
        process.stdout.write('\n  Unsteady: failed beside others, passed alone. Mend it.\n\n');
        list(passedAlone);
      }
      const also = [
        [skipped, 'skipped'],
        [new Set(passedAlone.map(({ file }) => file)).size, 'unsteady'],
      ].filter(([amount]) => amount > 0);
      const last = also.map(([amount, word]) => `, ${amount} ${word}`).join('');
      process.stdout.write(`\n${passed} passed, ${failed} failed${last}\n`);
      return failed === 0 && passed > 0;
    },
  };

  function count(file, counts) {
    const before = countsOf.get(file) ?? {};
    const after = { ...before };
    for (const [key, amount] of Object.entries(counts)) {
      total[key] += amount;
      after[key] = (before[key] ?? 0) + amount;
    }
    countsOf.set(file, after);
  }
}

function shown({ file, format: text, words }, number) {
  const [title, ...rest] = words;
  return format(text, number, `${file}\n     ${title}`, ...rest);
}
