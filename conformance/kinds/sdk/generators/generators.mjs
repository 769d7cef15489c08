import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../dredd/hub.mjs';
import { asPrinted } from './printed.mjs';

/**
 * The generators of SDKs, with how each SDK is compiled as strictly as its language can, and
 * called. `needs` are programs of the machine; `run` throws what a program said. Without `call` an
 * SDK is only compiled, and without the programs of `compileNeeds` only generated.
 */
export const GENERATOR = {
  jar: '7.25.0',
  go: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
  ogen: 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0',
};
const CONTRACT = join(root, 'generated/openapi.json');
/** The document for generators that read 3.0 alone, or 3.1 in part. */
const CONTRACT_30 = join(root, 'generated/openapi-3.0.json');
const bin = (name) => join(root, 'node_modules/.bin', name);

/** The languages of node: compiled by tsc with everything strict, run as one bundle. */
const typescript = (name, program, ...more) => ({
  needs: [],
  async generate(tools) {
    for (const file of [...more, `${program}.ts`, 'key.ts']) copy(tools, file);
    await asPrinted(tools, name, GENERATOR);
    writeFileSync(join(tools.folder, 'package.json'), '{"type":"module"}');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      module: 'ESNext',
      types: [],
      moduleResolution: 'bundler',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      allowImportingTsExtensions: true,
      noImplicitReturns: true,
      skipLibCheck: false,
      paths: { 'made/*': ['./made/*'], 'hub-sign': [join(root, 'clients/typescript/sign.ts')] },
    };
    const config = { compilerOptions, include: ['**/*.ts'] };
    writeFileSync(join(tools.folder, 'tsconfig.json'), JSON.stringify(config));
  },
  compile: ({ run, folder }) => run(bin('tsc'), ['-p', folder]),
  async call({ run, folder }) {
    const outfile = join(folder, 'call.mjs');
    const alias = {
      'hub-sign': join(root, 'clients/typescript/sign.ts'),
      made: join(folder, 'made'),
    };
    const entryPoints = [join(folder, `${program}.ts`)];
    const how = { bundle: true, platform: 'node', format: 'esm', absWorkingDir: root };
    await build({ entryPoints, outfile, alias, ...how });
    return run(process.execPath, [outfile]);
  },
});

const openapiGenerator = (language, rest) => ({
  ...rest,
  needs: ['java', 'mvn', ...rest.needs],
  async generate(tools) {
    await asPrinted(tools, `openapi-generator ${language}`, GENERATOR);
    await rest.prepare(tools);
  },
});

const go = (program) => ({
  needs: ['go'],
  async prepare(tools) {
    for (const file of ['signer.go', `${program}.go`]) copy(tools, file);
    await tools.run('go', ['mod', 'tidy']);
  },
  compile: ({ run }) => run('go', ['vet', './...']),
  call: ({ run }) => run('go', ['run', '.']),
});

export const GENERATORS = {
  'openapi-typescript': typescript('openapi-typescript', 'fetch'),
  'hey-api': typescript('hey-api', 'heyApi'),
  orval: typescript('orval', 'orval', 'hubFetch.ts'),
  'openapi-python-client': {
    needs: ['python3'],
    async generate(tools) {
      await asPrinted(tools, 'openapi-python-client', GENERATOR);
      for (const file of ['hubSigner.py', 'pythonClient.py']) copy(tools, file);
    },
    compile: ({ run, python }) => run(python('mypy'), ['--strict', 'hub_client']),
    call: ({ run, python }) => run(python('python'), ['pythonClient.py']),
  },
  'oapi-codegen': {
    ...go('oapiCodegen'),
    async generate(tools) {
      await asPrinted(tools, 'oapi-codegen', GENERATOR);
      await go('oapiCodegen').prepare(tools);
    },
  },
  // It makes a server as well, and is compiled; its security sources take no request to sign.
  ogen: {
    needs: ['go'],
    async generate(tools) {
      writeFileSync(join(tools.folder, 'go.mod'), 'module made\n\ngo 1.24\n');
      const words = ['--target', join(tools.folder, 'hub'), '--package', 'hub', '--clean'];
      await tools.run('go', ['run', GENERATOR.ogen, ...words, CONTRACT_30]);
      await tools.run('go', ['mod', 'tidy']);
    },
    compile: ({ run }) => run('go', ['vet', './hub']),
  },
  // A macro generates the client while it is compiled.
  progenitor: {
    needs: ['cargo'],
    async generate(tools) {
      tools.make(join(tools.folder, 'src'));
      cpSync(CONTRACT_30, join(tools.folder, 'openapi-3.0.json'));
      copy(tools, 'progenitor.rs', 'src/main.rs');
      copy(tools, 'progenitor.toml', 'Cargo.toml');
    },
    compile: ({ run, shared }) => run('cargo', ['build', '-q'], shared),
  },
  'openapi-generator python': openapiGenerator('python', {
    needs: ['python3'],
    async prepare(tools) {
      const wanted = join(tools.folder, 'made/requirements.txt');
      await tools.run(tools.python('python'), ['-m', 'pip', 'install', '-q', '-r', wanted]);
      for (const file of ['hubSigner.py', 'pythonGenerator.py']) copy(tools, file);
    },
    compile: ({ run, python }) =>
      run(python('python'), ['-W', 'error', '-c', 'from openapi_client.models import *'], {
        PYTHONPATH: 'made',
      }),
    call: ({ run, python }) =>
      run(python('python'), ['pythonGenerator.py'], { PYTHONPATH: 'made' }),
  }),
  'openapi-generator go': openapiGenerator('go', go('goGenerator')),
  'openapi-generator java': openapiGenerator('java', {
    needs: [],
    prepare(tools) {
      for (const file of ['Main.java', 'Signer.java']) {
        copy(tools, file, `made/src/main/java/${file}`);
      }
    },
    compile: ({ run, folder }) => run('mvn', ['-q', '-B', '-f', join(folder, 'made'), 'compile']),
    call: ({ run, folder }) =>
      run('mvn', [
        ...['-q', '-B', '-f', join(folder, 'made'), 'exec:java', '-Dexec.mainClass=Main'],
      ]),
  }),
  'openapi-generator rust': openapiGenerator('rust', {
    needs: ['cargo'],
    async prepare(tools) {
      tools.make(join(tools.folder, 'src'));
      copy(tools, 'rustGenerator.rs', 'src/main.rs');
      copy(tools, 'signer.rs', 'src/signer.rs');
      copy(tools, 'rustGenerator.toml', 'Cargo.toml');
    },
    compile: ({ run, shared }) => run('cargo', ['build', '-q'], shared),
    call: ({ run, shared }) => run('cargo', ['run', '-q'], shared),
  }),
  'openapi-generator csharp': {
    needs: ['java', 'mvn'],
    async generate(tools) {
      const words = ['generate', '-i', CONTRACT, '-g', 'csharp', '-o', join(tools.folder, 'made')];
      const options = ['--additional-properties=library=httpclient'];
      await tools.run('java', ['-jar', await tools.jar(), ...words, ...options]);
    },
    compileNeeds: ['dotnet'],
    compile: ({ run, folder }) => run('dotnet', ['build', join(folder, 'made'), '--nologo']),
  },
};

/** Programs that the registries do not have, so no run of this machine has seen them. */
export const NOT_TO_BE_HAD = {
  kiota: 'its packages fetch the program from elsewhere',
  vacuum: 'its package fetches the program from elsewhere',
  'httpsign (Go)': 'the module proxy has none of its versions here',
};

export function copy({ folder }, file, to = file) {
  const text = readFileSync(new URL(`programs/${file}`, import.meta.url));
  writeFileSync(join(folder, to), text);
}
