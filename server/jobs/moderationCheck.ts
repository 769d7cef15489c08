import { MODERATION_TOPIC } from '../../db/moderation/decisions.ts';
import type { Job } from '../../workflows/kernel/job.ts';

/** Reads into this process what `hubctl ban`, `hide` and `lift` wrote into the database. */
export const moderationCheck: Job = {
  name: 'moderationCheck',
  everySeconds: 1,
  topic: MODERATION_TOPIC,
  run: ({ moderation }) => moderation.refresh(),
};
