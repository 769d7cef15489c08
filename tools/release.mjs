// `npm run spec:release`: stores the released contract, without examples, for later comparison. A
// release shows the pages as they are, so pictures of the README that are older than a day stop it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const DAY_MS = 86_400_000;
const log = ['log', '-1', '--format=%ct', '--', 'docs/pictures'];
const taken = Number(execFileSync('git', log, { encoding: 'utf8' })) * 1_000;
if (Date.now() - taken > DAY_MS) {
  console.error('The pictures of the README are older than a day. Run npm run pictures first,');
  console.error('look at them, commit them, and run this again.');
  process.exit(1);
}

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const shared = Object.values(document.components.responses ?? {});
const responses = operations.flatMap((operation) => Object.values(operation.responses ?? {}));
for (const { content = {} } of [...shared, ...responses]) {
  for (const media of Object.values(content)) {
    delete media.example;
    delete media.examples;
  }
}
writeFileSync('spec/released/openapi.json', `${JSON.stringify(document)}\n`);
