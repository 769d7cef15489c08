import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../dredd/hub.mjs';
import { savedAs, stepsOf } from '../../../discovery/_follow.ts';

/** Runs the commands of a generator as its section of the page has them, in the folder of tools. */
const PAGE = 'docs/sdks.md';
const ADDRESS = 'http://127.0.0.1:4020';

/** How each program of the page is started here. */
const PROGRAMS = {
  'openapi-typescript': () => `'${join(root, 'node_modules/.bin/openapi-typescript')}'`,
  'openapi-ts': () => `'${join(root, 'node_modules/.bin/openapi-ts')}'`,
  orval: ({ npm }) => `'${npm('orval')}'`,
  'openapi-python-client': ({ python }) => `'${python('openapi-python-client')}'`,
  'oapi-codegen': (_, { go }) => `go run ${go}`,
  'openapi-generator-cli': async ({ jar }) => `java -jar '${await jar()}'`,
};

export async function asPrinted(tools, name, versions) {
  const own = stepsOf(PAGE).filter(({ section }) => section.replace(',', '').startsWith(name));
  const [first] = stepsOf(PAGE);
  const commands = own.filter(({ language }) => language === 'sh');
  if (commands.length !== 1) throw new Error(`${PAGE} has not one block of commands of ${name}`);
  for (const { words } of own) {
    const [, file] = /Save this as `([\w.]+)`/.exec(words) ?? [];
    if (file !== undefined) writeFileSync(join(tools.folder, file), savedAs(PAGE, file));
  }
  const programs = `${tools.folder}-programs`;
  rmSync(programs, { recursive: true, force: true });
  mkdirSync(programs);
  for (const [program, started] of Object.entries(PROGRAMS)) {
    if (!commands[0].text.includes(`${program} `)) continue;
    const file = join(programs, program);
    writeFileSync(file, `#!/bin/sh\nexec ${await started(tools, versions)} "$@"\n`);
    chmodSync(file, 0o755);
  }
  const env = { PATH: `${programs}:${process.env.PATH}` };
  for (const { text } of [first, ...commands]) {
    await tools.run('bash', ['-ec', text.replaceAll(ADDRESS, '$HUB_URL')], env);
  }
}
