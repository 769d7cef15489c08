import { followed } from './_follow.ts';
import { openShop, SERVICES } from './_services.ts';

followed('models, notes and files', { meets: SERVICES, open: openShop, purse: '900000000' });
