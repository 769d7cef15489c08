import { join } from 'node:path';
import { copy } from './generators.mjs';

/**
 * Libraries for RFC 9421 by others, unmodified: each signs a read with a query and a call with a
 * body, covering what it covers by default (`@target-uri` for path and query) beside the digest.
 */
const python = (file) => ({
  needs: ['python3'],
  compile: (tools) => {
    copy(tools, file);
    return tools.run(tools.python('python'), ['-m', 'py_compile', file]);
  },
  call: ({ run, python: bin }) => run(bin('python'), [file]),
});

export const SIGNERS = {
  'http-message-signatures (npm)': {
    needs: [],
    // A module finds its packages from where it lies, so a copy elsewhere would find none.
    compile: ({ run, at }) =>
      run(process.execPath, ['--check', join(at, 'programs/signerNpm.mjs')]),
    call: ({ run, at }) => run(process.execPath, [join(at, 'programs/signerNpm.mjs')]),
  },
  'http-message-signatures (PyPI)': python('signerPython.py'),
  'requests-http-signature (PyPI)': python('signerRequests.py'),
  'httpsig (crates.io)': {
    needs: ['cargo'],
    compile: (tools) => {
      copy(tools, 'signerRust.rs', 'main.rs');
      copy(tools, 'signerRust.toml', 'Cargo.toml');
      return tools.run('cargo', ['build', '-q'], tools.shared);
    },
    call: ({ run, shared }) => run('cargo', ['run', '-q'], shared),
  },
};

/** Checks that a signer's answers show the account's own list, and a space that is its own. */
export const answered = (output, keyId) => ({
  read: /read \{"role":"worker","count":0,/.test(output),
  wrote: new RegExp(`wrote .*"owner":"key:${keyId}"`).test(output),
});
