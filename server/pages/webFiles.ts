import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { inlineSources } from '../../domain/digest.ts';

/** One file of the built pages, as it is and compressed when it was built. */
export interface WebFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly brotli: Buffer | undefined;
  /** A quoted entity tag (RFC 9110 8.8.3) of the content. */
  readonly tag: string;
}

export interface WebFiles {
  /** For an address that no page has. */
  readonly shell: WebFile;
  /** By file name: `work.html`, and `work.item.html` for one item below it. */
  readonly shells: ReadonlyMap<string, WebFile>;
  /** By file name, and a map, so that no name of an object's own members is found. */
  readonly assets: ReadonlyMap<string, WebFile>;
  /** The documentation site, which is read beside the start; undefined where it was not built. */
  readonly site: Promise<Site | undefined>;
  /** The client's package; absent where the pages were built without it. */
  readonly client?: ClientPackage;
}

/** The documentation site of `npm run docs:build`. */
interface Site {
  /** By path below /docs/. */
  readonly files: ReadonlyMap<string, SiteFile>;
  /** Sources of the two scripts that every page of the site has inline. */
  readonly scripts: string;
}

/** The site is larger than all pages, so it is kept compressed, as nearly every browser asks for it. */
export interface SiteFile extends Omit<WebFile, 'plain'> {
  plain(): Promise<Buffer>;
}

interface Package {
  readonly file: WebFile;
  /** A hash of its bytes as npm writes it (Subresource Integrity). */
  readonly integrity: string;
}

interface ClientPackage extends Package {
  /** The Python client, by its own name; absent where `npm run pack:wheel` was not run. */
  readonly wheel?: Package & { readonly path: string };
}

const decompress = promisify(brotliDecompress);

/** The package's file name in the folder of the pages and its address below the base address. */
export const CLIENT_FILE = 'client.tgz';
/** pip reads the version from the name of a wheel, so the wheel has its own name as well. */
export const WHEEL_FILE = 'client.whl';
const WHEEL_NAME = /^agent_exchange_client-[0-9A-Za-z.]+-py3-none-any\.whl$/;

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  tgz: 'application/gzip',
  whl: 'application/zip',
};

/** The build lies beside the built server, and under `dist` beside the sources. */
export function webFolder(): string {
  const [built, fromSource] = ['../../web', '../../dist/web'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return built !== undefined && existsSync(built) ? built : (fromSource ?? '');
}

/** The pages, once, so that no request for them reads the disk; undefined where nothing was built. */
export function readWebFiles(folder: string): WebFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  return {
    shell: readOne(join(folder, 'index.html')),
    shells: readAll(join(folder, 'shells')),
    assets: readAll(join(folder, 'assets')),
    site: readSite(join(folder, '../docs')),
    ...readClient(folder),
  };
}

/** Hundreds of files, which no start waits for; one after the other, so that others have their turn. */
async function readSite(folder: string): Promise<Site | undefined> {
  const files = new Map<string, SiteFile>();
  for (const name of namesIn(folder)) {
    await turn();
    files.set(name, siteFile(join(folder, name)));
  }
  const index = await files.get('index.html')?.plain();
  return index && { files, scripts: inlineSources(String(index), 'script') };
}

function siteFile(path: string): SiteFile {
  const compressed = `${path}.br`;
  const type = typeOf(path);
  if (existsSync(compressed)) {
    const brotli = readFileSync(compressed);
    return { type, brotli, tag: tagOf(brotli), plain: () => decompress(brotli) };
  }
  const plain = readFileSync(path);
  return { type, brotli: undefined, tag: tagOf(plain), plain: () => Promise.resolve(plain) };
}

function readClient(folder: string): Pick<WebFiles, 'client'> {
  if (!existsSync(join(folder, CLIENT_FILE))) return {};
  const wheel = readdirSync(folder).find((name) => WHEEL_NAME.test(name));
  const client = packageOf(folder, CLIENT_FILE);
  if (wheel === undefined) return { client };
  return { client: { ...client, wheel: { path: `/${wheel}`, ...packageOf(folder, wheel) } } };
}

function packageOf(folder: string, name: string): Package {
  const file = readOne(join(folder, name));
  const hash = createHash('sha512').update(file.plain).digest('base64');
  return { file, integrity: `sha512-${hash}` };
}

/** Whether an address is that of a package, which need not be built. */
export function isPackagePath(path: string): boolean {
  const name = path.slice(1);
  return name === CLIENT_FILE || name === WHEEL_FILE || WHEEL_NAME.test(name);
}

function readAll(folder: string): ReadonlyMap<string, WebFile> {
  return new Map(namesIn(folder).map((name) => [name, readOne(join(folder, name))]));
}

/** The files of a folder that browsers read, without their compressed forms. */
function namesIn(folder: string): readonly string[] {
  const names = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
    : [];
  return names.filter((name) => Object.hasOwn(TYPES, endingOf(name)));
}

function readOne(path: string): WebFile {
  const plain = readFileSync(path);
  const compressed = `${path}.br`;
  const brotli = existsSync(compressed) ? readFileSync(compressed) : undefined;
  return { type: typeOf(path), plain, brotli, tag: tagOf(plain) };
}

function tagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

function typeOf(path: string): string {
  return TYPES[endingOf(path)] ?? 'application/octet-stream';
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
