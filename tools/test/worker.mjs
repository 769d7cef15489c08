/** A worker of `npm test`: one mocha run per file, reported at once, so a crash names its test. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import Mocha from 'mocha';
import { startAt } from '../../clients/examples/freePort.ts';
import { conformed } from './conformed.mjs';

const [, , share, options] = process.argv;
const { grep, timeoutMs, isWhole } = JSON.parse(options);
const { Base, Spec } = Mocha.reporters;

// Workers look for free ports in ranges of their own.
startAt(Number(share));

// Mocha ignores unhandled rejections; here they fail the running test.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

const ALIVE_EVERY_MS = 2_000;
let isOver = false;

const say = (message) => process.send?.(message);
const afterEachFile = [];
const afterAllFiles = [];
globalThis[Symbol.for('hub.tests.runner')] = {
  afterFile: (run) => afterEachFile.push(run),
  afterRun: (run) => afterAllFiles.push(run),
};

// A stuck event loop says nothing; whatever else does not end is ended by mocha's own limits.
const beat = setInterval(() => say({ is: 'alive' }), ALIVE_EVERY_MS).unref();

/** Spec's lines go to the runner, which prints a file's lines together. */
Base.consoleLog = (...words) => say({ is: 'line', text: format(...words) });

class Reporter extends Spec {
  constructor(running, words) {
    super(running, words);
    running.on('start', () => isWhole && sayEmpty(running.suite));
    running.on('hook', (hook) => say({ is: 'step', title: hook.fullTitle() }));
    running.on('test', (test) => say({ is: 'step', title: test.fullTitle() }));
    running.on('pass', () => say({ is: 'pass' }));
    running.on('pending', () => say({ is: 'pending' }));
    running.on('fail', () => this.sayFailure());
  }

  /** As mocha lists it, but for the number, which is the runner's to give. */
  sayFailure() {
    const before = Base.consoleLog;
    Base.consoleLog = (text, ...words) => {
      if (text !== undefined) say({ is: 'fail', format: text, words: words.slice(1) });
    };
    try {
      Base.list([this.failures.at(-1)]);
    } finally {
      Base.consoleLog = before;
    }
  }

  epilogue() {}
}

/** Without a choice by title, a suite that holds no test checks nothing and hides that. */
function sayEmpty(suite) {
  if (suite.total() > 0) {
    for (const inner of suite.suites) sayEmpty(inner);
    return;
  }
  const title = suite.root ? 'the file' : suite.titlePath().join('\n     ');
  say({ is: 'fail', format: '  %s) %s:\n     %s\n', words: [title, 'holds no test'] });
}

/** Limits the time of work that mocha does not limit. */
function inTime(work) {
  let timer;
  const late = new Promise((_, reject) => {
    const why = new Error(`no end within ${timeoutMs / 1000} s`);
    timer = setTimeout(() => reject(why), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function runFile({ file, titles }) {
  say({ is: 'step', title: 'loading' });
  const mocha = new Mocha({
    reporter: Reporter,
    timeout: timeoutMs,
    rootHooks: { afterAll: conformed },
  });
  if (grep !== undefined) mocha.grep(new RegExp(grep));
  if (titles !== undefined) mocha.grep(new RegExp(titles.pattern));
  if (titles?.isLeftOut === true) mocha.invert();
  // As mocha's own loading, which would try `require` first.
  const place = resolve(file);
  mocha.suite.emit('pre-require', globalThis, place, mocha);
  mocha.suite.emit('require', await inTime(import(pathToFileURL(place).href)), place, mocha);
  mocha.suite.emit('post-require', globalThis, place, mocha);
  await new Promise((resolve) => mocha.run(resolve));
  mocha.dispose();
  say({ is: 'step', title: 'tidying up' });
  for (const tidy of afterEachFile) await inTime(tidy());
}

process.on('message', (message) => {
  if (message.is === 'end') {
    end();
    return;
  }
  const began = performance.now();
  const cpu = process.cpuUsage();
  runFile(message).then(
    () => done(began, cpu),
    (error) => {
      const stack = String(error?.stack ?? error).replace(/^/gm, '     ');
      say({ is: 'fail', format: '  %s) %s:\n%s\n', words: ['cannot be loaded', stack] });
      done(began, cpu);
    },
  );
});

async function end() {
  isOver = true;
  clearInterval(beat);
  for (const tidy of afterAllFiles) await tidy();
  process.disconnect();
}

function done(began, cpu) {
  const { user, system } = process.cpuUsage(cpu);
  const rss = process.memoryUsage.rss();
  say({ is: 'done', ms: performance.now() - began, cpuMs: (user + system) / 1000, rss });
}

// The runner is gone, so no process would receive the results.
process.once('disconnect', () => isOver || process.exit(1));
