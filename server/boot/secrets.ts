import { decoded, secretsOfUrl } from '../../domain/outbound/redaction.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Read by the libraries of S3 and OTLP themselves. */
const FROM_ENVIRONMENT = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
const OTLP_HEADERS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'] as const;
/** Shorter values of such headers name a tenant. */
const HEADER_VALUE_MIN = 8;

/** All that this process sends to other hosts as a secret (choices outbound.secrets). */
export function secretsOfSettings(settings: Settings, env: Environment): readonly string[] {
  const { models, chain, x402Facilitator, traces, filesS3 } = settings;
  const urls = [...(chain?.rpc ?? []), x402Facilitator, traces?.url];
  const values = [
    ...models.flatMap(({ providers }) => providers.map(({ key }) => key)),
    filesS3?.credentials?.secretAccessKey,
    ...urls.flatMap((url) => secretsOfUrl(url ?? '')),
    ...FROM_ENVIRONMENT.map((name) => env[name]),
    ...OTLP_HEADERS.flatMap((name) => headerValues(env[name] ?? '')),
  ];
  return values.flatMap((each) => each || []);
}

function headerValues(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => decoded(each.slice(each.indexOf('=') + 1).trim()))
    .flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)])
    .filter(({ length }) => length >= HEADER_VALUE_MIN);
}
