import type { Io } from './command.ts';
import { defined } from '../../../domain/defined.ts';

/** Returns the process as commands see it. The first interrupt aborts, the second exits. */
export function processIo(servedBy?: string): Io {
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    interrupted.abort(new Error('interrupted'));
    process.once('SIGINT', () => process.exit(130));
  });
  // A reader that closes the pipe early, as `head` does, ends the process.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    stdin: process.stdin,
    ...defined({ servedBy }),
    isTerminal: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
    signal: interrupted.signal,
  };
}
