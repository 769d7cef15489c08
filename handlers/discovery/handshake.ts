import type { Handler } from '../../workflows/kernel/handler.ts';
import { LINES_INTRODUCED } from '../../workflows/registry/feed.ts';
import { pathOf, paths } from './content/paths/paths.ts';

/** Says what an introduction opened; the caller's unchecked words are kept for a day. */
export const handshake: Handler<'discovery.handshake'> = async ({ body, caller }, hub) => {
  const { until, before, now } = await hub.allowances.introduce(
    caller.ip,
    JSON.stringify(body ?? {}),
  );
  const { name, intent } = body ?? {};
  return {
    status: 200,
    body: {
      introduced: true,
      name,
      until,
      allowance: { before, now },
      feed: {
        url: `${hub.settings.baseUrl}/api/v1/agents.ndjson`,
        linesPerPass: LINES_INTRODUCED,
      },
      paths,
      ...(intent !== undefined && { path: pathOf(intent) }),
      next: [
        {
          action: 'registry.feed',
          who: 'anyone',
          call: { method: 'GET', path: '/api/v1/agents.ndjson' },
        },
        ...(intent === undefined
          ? [
              {
                action: 'discovery.handshake',
                who: 'anyone',
                call: {
                  method: 'POST' as const,
                  path: '/api/v1/handshake',
                  body: { intent: 'earn' },
                },
              },
            ]
          : []),
      ],
    },
  };
};
