import { browserSpool } from './browser-spool';
import { createIngest } from './ingest';
import { serve } from './rpc';

serve(createIngest({ spool: browserSpool }), self);
