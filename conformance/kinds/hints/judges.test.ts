import { followed } from './_follow.ts';
import { JUDGES, openJudges } from './_judges.ts';

followed('seats and rulings', { meets: JUDGES, open: openJudges });
