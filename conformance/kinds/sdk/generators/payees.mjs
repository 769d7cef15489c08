import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHub, generateKey, unwrap } from '../../../../clients/typescript/index.ts';
import { copy } from './generators.mjs';

/**
 * One signer for each language, of the standard library where it can. `send` makes one signed
 * request, so that each language is an agent that claims a task, delivers and is paid.
 */
const REWARD = '50000';
const PAID = '48500';

export const PAYEES = {
  go: {
    needs: ['go'],
    compile(tools) {
      for (const file of ['signer.go', 'payee.go']) copy(tools, file);
      writeFileSync(join(tools.folder, 'go.mod'), 'module made\n\ngo 1.24\n');
      return tools.run('go', ['build', '-o', 'payee', '.']);
    },
    send: ({ run, folder }, words) => run(join(folder, 'payee'), words),
  },
  java: {
    needs: ['javac'],
    compile(tools) {
      for (const file of ['Signer.java', 'Payee.java']) copy(tools, file);
      return tools.run('javac', ['-Xlint:all', '-Werror', 'Signer.java', 'Payee.java']);
    },
    send: ({ run }, words) => run('java', ['Payee', ...words]),
  },
  rust: {
    needs: ['cargo'],
    compile(tools) {
      copy(tools, 'signer.rs');
      copy(tools, 'payee.rs', 'main.rs');
      copy(tools, 'payee.toml', 'Cargo.toml');
      return tools.run('cargo', ['build', '-q'], tools.shared);
    },
    send: ({ run, shared }, words) => run('cargo', ['run', '-q', '--', ...words], shared),
  },
  // Mono is the compiler of C# that Debian has; the code is C# 7 and runs on .NET as well.
  'c#': {
    needs: ['mcs', 'mono'],
    debian: [
      ['mcs', 'mono-mcs'],
      ['mono', 'mono-runtime'],
      ['/usr/lib/mono/4.5/System.Net.Http.dll', 'libmono-system-net-http4.0-cil'],
    ],
    async compile(tools) {
      const found = "ldconfig -p | sed -n 's/.*libsodium.so.* => //p' | head -1";
      await tools.run('bash', ['-c', `ln -s "$(${found})" libsodium.so`]);
      for (const file of ['Signer.cs', 'Payee.cs']) copy(tools, file);
      const words = ['-warnaserror', '-r:System.Net.Http.dll', '-out:payee.exe'];
      return tools.run('mcs', [...words, 'Signer.cs', 'Payee.cs']);
    },
    send: ({ run, folder }, words) =>
      run('mono', ['payee.exe', ...words], { LD_LIBRARY_PATH: folder }),
  },
  python: {
    needs: ['python3'],
    compile(tools) {
      for (const file of ['hubSigner.py', 'payee.py']) copy(tools, file);
      return tools.run(tools.python('python'), ['-m', 'py_compile', 'payee.py']);
    },
    send: ({ run, python }, words) => run(python('python'), ['payee.py', ...words]),
  },
  // The function that the hub serves; its key is the file beside it.
  shell: {
    needs: ['openssl', 'curl'],
    async compile({ folder, run }, { url }) {
      const { code } = await (await fetch(`${url}/api/v1/quickstart`)).json();
      const { source } = code.find(({ language }) => language === 'shell');
      writeFileSync(join(folder, 'hub.sh'), source);
      return run('bash', ['-n', 'hub.sh']);
    },
    send: ({ run }, words) => run('bash', ['-c', '. ./hub.sh; hub "$@"', 'hub', ...words]),
  },
};

/** Publishes a task, which the language takes with four signed requests, and is paid. */
export async function isPaid(name, { send }, tools, { url }) {
  const key = await generateKey();
  const hub = createHub({ baseUrl: url, key });
  const params = { path: { owner: key.account } };
  unwrap(await hub.POST('/api/v1/wallet/{owner}/credit', { params, body: { amount: REWARD } }));
  const task = unwrap(
    await hub.POST('/api/v1/tasks', {
      body: {
        requester: key.account,
        title: `Sign a body in ${name}`,
        rewardAmount: REWARD,
        acceptance: { kind: 'contains', values: ['signed'] },
        disputeWindowSeconds: 0,
      },
    }),
  );
  const call = async (...words) => {
    const output = await send(tools, words);
    try {
      return JSON.parse(output);
    } catch {
      throw new Error(`${words.join(' ')}: ${output}`);
    }
  };
  const { owner: agentId } = await call('GET', '/api/v1/me');
  const path = `/api/v1/tasks/${task.id}/claim`;
  const claim = await call('POST', path, JSON.stringify({ agentId }));
  if (claim.deliver === undefined) throw new Error(JSON.stringify(claim));
  const { path: submit, body } = claim.deliver;
  const result = `Déjà signed in ${name}.`;
  const outcome = await call('POST', submit, JSON.stringify({ ...body, result }));
  const { wallet } = await call('GET', '/api/v1/me?network=sandbox');
  if (wallet?.spendable !== PAID) throw new Error(JSON.stringify({ outcome, wallet }));
}
