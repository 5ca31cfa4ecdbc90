import { createIngest } from './ingest';
import { serve } from './rpc';

serve(createIngest(), self);
