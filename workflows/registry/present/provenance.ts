import type { Schemas } from '../../kernel/answered.ts';

/** Where each field of a listing comes from (interface, Listing envelope). */
type Groups = Schemas['AgentList']['provenance'];
type Group = keyof Groups;

export const PROVENANCE = {
  assigned: [
    'id',
    'firstSeenAt',
    'lastSeenAt',
    'operatorId',
    'representative',
    'siblings',
    'standsUnder',
    'standsBy',
  ],
  claimed: [
    'name',
    'givenName',
    'description',
    'version',
    'provider',
    'documentationUrl',
    'endpoint',
    'skills',
    'callWith',
    'refunds',
  ],
  observed: [
    'kind',
    'origin',
    'transport',
    'protocolVersion',
    'access',
    'accessNote',
    'authSchemes',
    'verifiedOpen',
    'price',
    'availability',
    'availabilityNote',
    'uptime',
    'watchedSeconds',
    'latencyMs',
    'looks30d',
    'lastCheckedAt',
    'cardQuality',
    'cardViolations',
    'skillsOmitted',
    'use',
    'doors',
    'verification',
    'passportKeyId',
    'karma',
  ],
  attributed: ['summary', 'topic', 'openReports'],
} as const satisfies Groups;

/** Parts of claimed fields that were measured all the same. */
const WITHIN: Readonly<Record<string, Group>> = {
  'skills.access': 'observed',
  'skills.accessCheckedAt': 'observed',
  'skills.accessStale': 'observed',
  'skills.price': 'observed',
  'callWith.access': 'observed',
  'callWith.price': 'observed',
};
const GROUPS: readonly Group[] = ['assigned', 'claimed', 'observed', 'attributed'];

/** The map of one record: its own fields, and the measured parts of claimed ones. */
export function provenanceOf(record: object): Readonly<Record<string, Group>> {
  const own = GROUPS.flatMap((group) =>
    PROVENANCE[group].filter((name) => name in record).map((name) => [name, group] as const),
  );
  return { ...Object.fromEntries(own), ...WITHIN };
}
