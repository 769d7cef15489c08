import type { Migration } from '../migration.ts';

/** The newest draws of a judge, and the seats whose figures are due (choices validators.measures). */
export const measureIndexes: Migration = {
  name: '0035_measure_indexes',
  indexes: [
    {
      name: 'panel_seats_record',
      sql: 'INDEX panel_seats_record ON panel_seats (account, round_id)',
    },
    {
      name: 'seats_measure',
      sql: 'INDEX seats_measure ON seats (measure_at) WHERE measure_at IS NOT NULL',
    },
  ],
};
