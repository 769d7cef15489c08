// npm run deploy:check: tests deploy/ with its users' tools, without a container engine. It packs,
// installs and starts the built hub. Tools come from Debian and the Go module proxy; a missing one
// fails.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { packHub } from '../packHub.mjs';
import { freePort } from './freePort.mjs';

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/deploy-tools');
const folder = mkdtempSync(join(tmpdir(), 'hub-deploy-'));
const INSTALL_SECONDS_MAX = 20;
const INSTALL_MB_MAX = 150;
const PORT = 4020;
const KUBERNETES = 'v1.34.3';

/** `npm run deploy:check -- helm systemd` runs those parts alone; image and backup need package. */
const only = process.argv.slice(2);
const failed = [];
async function check(name, work) {
  if (only.length > 0 && !only.includes(name.split(':')[0])) return;
  const began = Date.now();
  try {
    const found = await work();
    const seconds = ((Date.now() - began) / 1_000).toFixed(1);
    process.stdout.write(`ok    ${name} (${[found, `${seconds} s`].filter(Boolean).join(', ')})\n`);
  } catch (error) {
    failed.push(name);
    process.stdout.write(`FAIL  ${name}: ${error.stderr || error.message}\n`);
  }
}
const run = (program, words, options = {}) =>
  execFileSync(program, words, { encoding: 'utf8', stdio: 'pipe', ...options });

/** Builds a program of the Go module proxy unless the cache has it. */
function goTool(name, module, version) {
  const program = join(cache, `${name}-${version}`);
  if (existsSync(program)) return program;
  process.stdout.write(`      installs ${module}@${version} from the Go module proxy\n`);
  mkdirSync(cache, { recursive: true });
  const env = { ...process.env, GOFLAGS: '' };
  const source = copyOfModule(module, version, env);
  const target = module.includes('kubeconform') ? 'kubeconform' : name;
  run('go', ['build', '-o', program, `./cmd/${target}`], { cwd: source, env });
  rmSync(source, { recursive: true, force: true });
  return program;
}

/** A program of a Debian package, which is unpacked and not installed: it may come with a service. */
function debianTool(name, pack) {
  const own = join(cache, pack);
  if (!existsSync(own)) {
    process.stdout.write(`      unpacks ${pack} of Debian\n`);
    const at = { cwd: mkdtempSync(join(folder, 'debian-')) };
    run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', pack], at);
    const [file] = readdirSync(at.cwd);
    mkdirSync(cache, { recursive: true });
    run('dpkg-deb', ['-x', file, own], at);
  }
  return join(own, 'usr/bin', name);
}

/** The main module of a folder may exclude versions, which a module that is installed may not. */
function copyOfModule(module, version, env) {
  const words = ['mod', 'download', '-json', `${module}@${version}`];
  const { Dir } = JSON.parse(run('go', words, { env, cwd: folder }));
  const copy = join(folder, 'source');
  cpSync(Dir, copy, { recursive: true });
  run('chmod', ['-R', 'u+w', copy]);
  return copy;
}

const hub = join(folder, 'app/node_modules/agent-exchange-hub');
const hubctl = join(folder, 'app/node_modules/.bin/hubctl');
const data = join(folder, 'data');
const ownPort = await freePort();
const env = {
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  HUB_DATA_DIR: data,
  HUB_PORT: String(ownPort),
};

await check('package: installs without a registry', async () => {
  await packHub(join(folder, 'hub.tgz'));
  mkdirSync(join(folder, 'app'));
  writeFileSync(join(folder, 'app/package.json'), '{"private":true}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '../hub.tgz'];
  const times = [1, 2].map(() => {
    rmSync(join(folder, 'app/node_modules'), { recursive: true, force: true });
    const began = Date.now();
    run('npm', install, { cwd: join(folder, 'app') });
    return (Date.now() - began) / 1_000;
  });
  // The other run may have waited for a busy machine.
  const seconds = Math.min(...times);
  const mb = bytesOf(join(folder, 'app')) / 1_048_576;
  if (seconds > INSTALL_SECONDS_MAX) throw new Error(`installing took ${seconds} s`);
  if (mb > INSTALL_MB_MAX) throw new Error(`it has ${mb} MB`);
  return `installed in ${seconds.toFixed(1)} s, ${mb.toFixed(0)} MB`;
});

await check(
  'image: starts from a read-only folder, is healthy, and passes the doctor',
  async () => {
    chmodTree(hub, 0o555, 0o444);
    const health = /HEALTHCHECK[^[]*(\[.+\])/.exec(
      readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'),
    );
    // Another program may have the image's port here.
    const [program, ...words] = JSON.parse(health[1].replaceAll(`:${PORT}`, `:${ownPort}`));
    const child = spawn(process.execPath, [join(hub, 'dist/server/cli.js'), 'start'], {
      env,
      cwd: hub,
    });
    let log = '';
    child.stdout.on('data', (chunk) => (log += chunk));
    child.stderr.on('data', (chunk) => (log += chunk));
    try {
      const isHealthy = () => spawnSync(program, words, { env }).status === 0;
      for (let n = 0; n < 60 && child.exitCode === null && !isHealthy(); n += 1) await sleep(250);
      if (!isHealthy()) throw new Error(`it is not healthy at port ${ownPort}: ${log}`);
      run(hubctl, ['doctor'], { env });
      run(hubctl, ['backup', join(folder, 'backup')], { env });
    } finally {
      child.kill('SIGTERM');
      if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
    }
    if (!log.trim().split('\n').every(isJson)) throw new Error(`the log is not JSON: ${log}`);
  },
);

await check('backup: restores into an empty place, and the books balance', () => {
  const restored = { ...env, HUB_DATA_DIR: join(folder, 'restored') };
  run(hubctl, ['restore', join(folder, 'backup')], { env: restored });
  run(hubctl, ['audit'], { env: restored });
});

await check('systemd: the unit is valid and hardened', () => {
  const units = ['hub.service', 'hub-backup.service', 'hub-backup.timer'].map((name) => {
    const text = readFileSync(join(root, 'deploy/systemd', name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll('/usr/local/bin/hubctl', process.execPath));
    return join(folder, name);
  });
  const checked = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
  const wrong = checked.stderr.split('\n').filter((line) => /\bhub(-backup)?\./.test(line));
  if (checked.error !== undefined || wrong.length > 0)
    throw new Error(wrong.join() || String(checked.error));
  run('systemd-analyze', ['security', '--offline=true', '--threshold=20', units[0]]);
});

await check('prometheus: rules, the test of each alert and the dashboards', () => {
  // The release of the page of the installation; a newer one reads these files as well.
  const promtool = debianTool('promtool', 'prometheus');
  const at = { cwd: join(root, 'deploy/prometheus') };
  run(promtool, ['check', 'rules', 'rules.yaml'], at);
  run(promtool, ['check', 'config', 'prometheus.yaml'], at);
  run(promtool, ['test', 'rules', 'rules.test.yaml'], at);
  // The queries of the dashboards, as rules that nothing runs.
  const rules = ['users', 'operators'].flatMap((name) => {
    const path = join(root, 'deploy/grafana', `${name}.json`);
    const { panels } = JSON.parse(readFileSync(path, 'utf8'));
    return panels.flatMap(({ id, targets }) =>
      targets.map(({ refId, expr }) => ({ record: `${name}_${id}_${refId}`, expr })),
    );
  });
  const file = join(folder, 'dashboards.yaml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboards', rules }] }));
  run(promtool, ['check', 'rules', file]);
  return `${rules.length} queries of dashboards`;
});

await check('helm: lints, and its manifests fit the schemas of Kubernetes', () => {
  const helm = goTool('helm', 'helm.sh/helm/v3', 'v3.22.0');
  const kubeconform = goTool('kubeconform', 'github.com/yannh/kubeconform', 'v0.8.0');
  const chart = join(root, 'deploy/helm');
  run(helm, ['lint', '--strict', chart]);
  const schemas = kubernetesSchemas();
  for (const more of [[], ['--set', 'ingress.enabled=true,volume.accessMode=ReadWriteMany']]) {
    const input = run(helm, ['template', 'hub', chart, ...more]);
    const location = join(schemas, '{{ .ResourceKind }}.json');
    run(kubeconform, ['-summary', '-schema-location', location, '-'], { input });
  }
  return 'Kubernetes ' + KUBERNETES;
});

/** One schema for each kind of the chart, of the contract that Kubernetes publishes. */
function kubernetesSchemas() {
  const schemas = join(cache, `kubernetes-${KUBERNETES}`);
  if (existsSync(schemas)) return schemas;
  process.stdout.write(`      installs k8s.io/kubernetes@${KUBERNETES} from the Go module proxy\n`);
  const words = ['mod', 'download', '-json', `k8s.io/kubernetes@${KUBERNETES}`];
  const { Dir } = JSON.parse(run('go', words, { cwd: folder }));
  const swagger = readFileSync(join(Dir, 'api/openapi-spec/swagger.json'), 'utf8');
  const { definitions } = JSON.parse(swagger);
  // Unknown fields are mistakes; an open map says so by its own `additionalProperties`.
  for (const each of Object.values(definitions)) {
    if (each.properties !== undefined) each.additionalProperties ??= false;
  }
  // A number or a text, which the document writes as a text.
  definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] = { type: ['string', 'integer'] };
  definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'] = { type: ['string', 'number'] };
  mkdirSync(schemas, { recursive: true });
  for (const [name, each] of Object.entries(definitions)) {
    const [kind] = each['x-kubernetes-group-version-kind'] ?? [];
    if (!/api\.(apps|core|networking)\.v1\.[A-Za-z]+$/.test(name) || kind === undefined) continue;
    const schema = { $ref: `#/definitions/${name}`, definitions };
    writeFileSync(join(schemas, `${kind.kind.toLowerCase()}.json`), JSON.stringify(schema));
  }
  return schemas;
}

await check('compose: the files that it mounts exist', () => {
  const { services } = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'));
  const paths = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.filter((each) => each.startsWith('./')).map((each) => each.split(':')[0]),
  );
  for (const path of paths) statSync(join(root, 'deploy', path));
  return `${paths.length} files`;
});

function isJson(text) {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function bytesOf(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function chmodTree(path, folderMode, fileMode) {
  if (!statSync(path).isDirectory())
    return chmodSync(path, fileMode | (statSync(path).mode & 0o111));
  for (const name of readdirSync(path)) chmodTree(join(path, name), folderMode, fileMode);
  chmodSync(path, folderMode);
}

run('chmod', ['-R', 'u+w', folder]);
rmSync(folder, { recursive: true, force: true });
process.stdout.write(failed.length === 0 ? 'All checks passed.\n' : `${failed.length} failed.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
