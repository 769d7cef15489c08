import { withoutNulls, type JsonObject } from '../jsonObject.ts';

/**
 * Parameters of a chat completion (choices models.parameters). A model takes those that its operator
 * lists; any other is refused, because the caller would pay for an answer that ignores it.
 */
export const USUAL_PARAMETERS = [
  'temperature',
  'top_p',
  'seed',
  'stop',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'response_format',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
] as const;

/** Members of a request that the desk reads itself. */
const OWN: readonly string[] = [
  'model',
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'stream',
  'stream_options',
  'models',
  'provider',
  'caller',
  'network',
  'idempotencyKey',
];

/** Members that label a call and change nothing in its answer. */
const LABELS: readonly string[] = [
  'user',
  'safety_identifier',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
];

/** Values that ask for what every answer of the desk is in any case. */
const WITHOUT_EFFECT: Readonly<Record<string, readonly string[]>> = {
  logprobs: ['false'],
  top_logprobs: ['0'],
  modalities: ['["text"]'],
  service_tier: ['"auto"', '"default"'],
  store: ['false'],
};

/** Parameters that no model can be configured to take: the desk could not pass their result on. */
const NEVER: readonly string[] = [
  ...OWN,
  ...LABELS,
  'modalities',
  'service_tier',
  'store',
  'functions',
  'function_call',
  'audio',
  'prediction',
  'web_search_options',
  'moderation',
];

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

export function isParameter(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name) && !NEVER.includes(name);
}

/** Parameters whose objects clients build, with the unset members of those objects. */
const BUILT: readonly string[] = ['tools', 'tool_choice', 'response_format'];
const BUILT_LEVELS = 2;

/** The parameters of a request. A null member is an unset one, as these clients write it. */
export function parametersOf(body: JsonObject): JsonObject {
  const asked = Object.entries(body).filter(
    ([name, value]) =>
      value !== undefined &&
      value !== null &&
      !OWN.includes(name) &&
      !LABELS.includes(name) &&
      WITHOUT_EFFECT[name]?.includes(JSON.stringify(value)) !== true,
  );
  return Object.fromEntries(
    asked.map(([name, value]) => [
      name,
      BUILT.includes(name) ? withoutNulls(value, BUILT_LEVELS) : value,
    ]),
  );
}
