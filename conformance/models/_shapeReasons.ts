/**
 * Fields of the SDKs' chunk types that no stream of the differential test has, with all below them.
 * The desk neither bills by them nor passes them on, for the reason that each has.
 */
const OF_CALL = 'It is about the call. The receipt of the hub has what its own call needs.';
const OF_TOKENS = 'Numbers of tokens have no meaning without the tokenizer, which callers lack.';
const OF_USAGE = 'Providers are paid for tokens of the prompt and the answer alone.';
const OF_ECHO = 'It repeats what the deltas said, and is read only where no delta came.';
const OF_REQUEST = 'The SDK shares a type with requests; an answer has no such value.';
const OF_CLIENT = 'The SDK itself adds it while it reads a stream.';
const OF_DEPTH = 'The member goes on whole, and a stream has the member.';
const OF_THOUGHT = 'The protocol has no member for probabilities of thought.';

export const NOT_PASSED_ON: Readonly<Record<string, string>> = {
  'choices[].delta.index': OF_CALL,
  'choices[].delta.metadata': OF_CALL,
  'choices[].delta.llm_data': OF_CALL,
  'choices[].delta.token_id': OF_TOKENS,
  'choices[].delta.tokens': OF_TOKENS,
  'choices[].delta.hidden_states': OF_TOKENS,
  'choices[].delta.tool_call_id': OF_REQUEST,
  'choices[].delta.thinking_blocks[].cache_control object': OF_REQUEST,
  'choices[].delta.thinking_blocks[].cache_control.ttl': OF_REQUEST,
  'choices[].delta.thinking_blocks[].cache_control.type': OF_REQUEST,
  'choices[].delta.provider_specific_fields': OF_CLIENT,
  'choices[].delta.executed_tools[]': OF_DEPTH,
  'choices[].delta.reasoning_steps[]': OF_DEPTH,
  'choices[].delta.graph_data.references': OF_DEPTH,
  'choices[].delta.graph_data.subqueries': OF_DEPTH,
  'choices[].delta.graph_data.status': OF_DEPTH,
  'choices[].delta.tool_calls[].function string': OF_REQUEST,
  'choices[].delta.content[].raw': OF_CLIENT,
  'choices[].delta.content[].is_unknown': OF_CLIENT,
  'choices[].delta.content[].type "UNKNOWN"': OF_CLIENT,
  'choices[].delta.reasoning_details[].raw': OF_CLIENT,
  'choices[].delta.reasoning_details[].is_unknown': OF_CLIENT,
  'choices[].delta.reasoning_details[].type "UNKNOWN"': OF_CLIENT,
  'choices[].message': OF_ECHO,
  'choices[].enhancements': OF_CALL,
  'choices[].prompt_token_ids': OF_TOKENS,
  'choices[].raw_output': OF_TOKENS,
  'choices[].token_ids': OF_TOKENS,
  'choices[].tokens': OF_TOKENS,
  'choices[].reasoning_logprobs': OF_THOUGHT,
  'choices[].delta.role': OF_CALL,
  extra_json: OF_CLIENT,
  provider_specific_fields: OF_CLIENT,
  moderation: OF_CALL,
  openrouter_metadata: OF_CALL,
  perf_metrics: OF_CALL,
  prompt_token_ids: OF_TOKENS,
  sglext: OF_CALL,
  time_info: OF_CALL,
  search_results: OF_DEPTH,
  'error.metadata': OF_CALL,
  'usage.completion_tokens null': 'The hub then counts the answer itself.',
  'usage.completion_tokens_details': OF_USAGE,
  'usage.prompt_tokens_details': OF_USAGE,
  'usage.prompt_token_details': OF_USAGE,
  'usage.prompt_audio_seconds': OF_USAGE,
  'usage.service_tier': OF_USAGE,
  'usage.reasoning_tokens': OF_USAGE,
  'usage.citation_tokens': OF_USAGE,
  'usage.image_tokens': OF_USAGE,
  'usage.cost': OF_USAGE,
  'usage.cost_details': OF_USAGE,
  'usage.is_byok': OF_USAGE,
  'usage.num_search_queries': OF_USAGE,
  'usage.search_context_size': OF_USAGE,
  'usage.server_tool_use_details': OF_USAGE,
  'x_groq.debug': OF_TOKENS,
  'x_groq.usage.completion_time': OF_USAGE,
  'x_groq.usage.prompt_time': OF_USAGE,
  'x_groq.usage.total_time': OF_USAGE,
  'x_groq.usage.completion_tokens_details': OF_USAGE,
  'x_groq.usage.prompt_tokens_details': OF_USAGE,
  'x_groq.usage_breakdown': OF_USAGE,
};
