import { sha256Hex } from '../digest.ts';
import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import { injectionSignals } from './injection.ts';
import { listedName } from './listedName.ts';
import { nameKey } from './nameKey.ts';
import { isExactVersion, SERVER_SCHEMA } from './serverJson.ts';
import { head } from '../text.ts';
import { cleanLine } from './text.ts';
import { defined } from '../defined.ts';

/**
 * An MCP server that a registry lists as a package alone, without an address to call. It is listed
 * as one (choices registry.packages): the hub never fetches, installs or runs it.
 */
export interface ServerPackage {
  readonly id: string;
  /** As the registry that lists it names it, `<namespace>/<name>`. */
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  /** The namespace of its name, which the registry gives to who proves it. */
  readonly publisher: string;
  readonly proof: PublisherProof;
  readonly registryType: string;
  readonly identifier: string;
  /** Phrases that address the reader. */
  readonly signals: number;
  readonly nameKey: string;
  /** The same for descriptions that look alike; absent for a short one. */
  readonly textKey?: string;
  /** The `server.json` that the sub-registry passes on. */
  readonly server: string;
}

/** How registries check a namespace: a GitHub login, or the domain in reverse order. */
export type PublisherProof = 'github' | 'domain';

/** No code of a listing begins so. */
const PACKAGE_ID = 'pkg-';

export function isPackageId(id: string): boolean {
  return id.startsWith(PACKAGE_ID);
}

/** The id without what keeps it apart, in the form of a code; a code of a listing stays as it is. */
export function codeOfPackage(id: string): string {
  return isPackageId(id) ? id.slice(PACKAGE_ID.length) : id;
}

/** A publisher with more has its further packages refused. */
export const PACKAGES_OF_PUBLISHER = 100;

const NAME = /^([a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?)\/([a-zA-Z0-9._-]+)$/;
const REGISTRY_TYPE = /^[a-z0-9][a-z0-9-]{0,39}$/;
const NAME_LENGTH_MAX = 200;
const IDENTIFIER_LENGTH_MAX = 500;
const TITLE_LENGTH_MAX = 100;
const DESCRIPTION_LENGTH_MAX = 400;
const DESCRIBED_LENGTH_MAX = 100;
/** Shorter descriptions are alike by chance. */
const TEXT_KEY_FROM = 30;
const SERVER_LENGTH_MAX = 16_384;
const PACKAGES_MAX = 20;
const SCHEMA_ADDRESS = /^https:\/\/[^\s"<>]{1,190}$/;

/** The name of a server in the form of a registry, or undefined. */
export function registryName(given: unknown): string | undefined {
  return typeof given === 'string' && given.length <= NAME_LENGTH_MAX && NAME.test(given)
    ? given
    : undefined;
}

/** Undefined when it has no package, or anything else than a registry would list. */
export function serverPackage(server: JsonObject): ServerPackage | undefined {
  const name = registryName(server['name']);
  const { version } = server;
  const [first] = listOf(server['packages']).filter(isObject);
  if (name === undefined || first === undefined || !isExactVersion(version)) return undefined;
  const [publisher = '', own = ''] = name.split('/');
  const registryType = first['registryType'] ?? first['registry_type'] ?? first['registry_name'];
  const given = first['identifier'] ?? first['name'];
  const identifier = cleanLine(given, IDENTIFIER_LENGTH_MAX);
  if (typeof registryType !== 'string' || !REGISTRY_TYPE.test(registryType)) return undefined;
  if (identifier === undefined || identifier !== given) return undefined;
  const text = JSON.stringify(passedOn(server, { name, version, identifier }));
  if (text.length > SERVER_LENGTH_MAX) return undefined;
  const claimed = cleanLine(server['title'], TITLE_LENGTH_MAX);
  const title = listedName(claimed ?? own) ?? own;
  const description = cleanLine(server['description'], DESCRIPTION_LENGTH_MAX) ?? '';
  const textKey = description.length < TEXT_KEY_FROM ? undefined : nameKey(description);
  return {
    id: `${PACKAGE_ID}${sha256Hex(`hub/package/v1\n${name}`).slice(0, 16)}`,
    name,
    version,
    title,
    description,
    publisher,
    proof: /^io\.github\./i.test(publisher) ? 'github' : 'domain',
    registryType,
    identifier,
    signals: injectionSignals([
      { path: 'title', text: claimed ?? '' },
      { path: 'description', text: description },
    ]).length,
    nameKey: nameKey(title) ?? own,
    ...defined({ textKey }),
    server: text,
  };
}

/** The members that the registry API knows, as they were; `remotes` is empty, which it allows. */
function passedOn(
  server: JsonObject,
  own: { readonly name: string; readonly version: string; readonly identifier: string },
): JsonObject {
  const { name, version, identifier } = own;
  const line = (value: unknown) => cleanLine(value, DESCRIBED_LENGTH_MAX);
  const { websiteUrl, repository } = server;
  const title = line(server['title']);
  return {
    $schema: SCHEMA_ADDRESS.test(String(server['$schema'])) ? server['$schema'] : SERVER_SCHEMA,
    name,
    description: line(server['description']) ?? head(`Package ${identifier}`, DESCRIBED_LENGTH_MAX),
    ...defined({ title }),
    version,
    ...(isPage(websiteUrl) && { websiteUrl }),
    ...(isObject(repository) && { repository }),
    packages: listOf(server['packages']).filter(isObject).slice(0, PACKAGES_MAX),
    remotes: [],
  };
}

function isPage(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 2_048 && /^https?:\/\/[^\s]+$/.test(value);
}
