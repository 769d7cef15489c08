/** What a run says: each file's lines together, and at the end mocha's summary and one line alone. */
import { format } from 'node:util';

const isColoured = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const paint = (code, text) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
const GREEN = 92;
const CYAN = 36;
const RED = 31;
const GREY = 90;

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

export function createReport(count) {
  const failures = [];
  const total = { passed: 0, failed: 0, skipped: 0 };
  let done = 0;

  return {
    failures,
    /** One file ended: its lines, and what else its worker said meanwhile. */
    file({ file, worker, lines, counts, ms, stray }) {
      done += 1;
      for (const key of Object.keys(total)) total[key] += counts[key];
      process.stdout.write(
        `\n${paint(GREY, `[${done}/${count}]`)} ${file} ${paint(GREY, `${seconds(ms)}, worker ${worker}`)}\n`,
      );
      const text = lines
        .join('\n')
        .replaceAll(/\n{2,}/g, '\n')
        .replaceAll(/^\n|\n$/g, '');
      if (text !== '') process.stdout.write(`${text}\n`);
      if (stray !== '') process.stdout.write(`${stray}\n`);
    },
    /** Something failed that no file's own counts name. */
    fail(file, title, why) {
      total.failed += 1;
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
      failures.forEach((failure, index) => process.stdout.write(`${shown(failure, index + 1)}\n`));
      const last = skipped > 0 ? `, ${skipped} skipped` : '';
      process.stdout.write(`\n${passed} passed, ${failed} failed${last}\n`);
      return failed === 0 && passed > 0;
    },
  };
}

function shown({ file, format: text, words }, number) {
  const [title, ...rest] = words;
  return format(text, number, `${file}\n     ${title}`, ...rest);
}
