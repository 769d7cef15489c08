import type { Io } from './command.ts';

/** The process as commands see it. The first interruption is told to them, the second ends it. */
export function processIo(servedBy?: string): Io {
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    interrupted.abort(new Error('interrupted'));
    process.once('SIGINT', () => process.exit(130));
  });
  // Whoever reads a part of a long answer, as `head` does, ends it.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    stdin: process.stdin,
    ...(servedBy !== undefined && { servedBy }),
    isTerminal: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
    signal: interrupted.signal,
  };
}
