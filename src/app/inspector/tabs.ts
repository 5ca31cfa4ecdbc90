import { ExchangesTab } from './exchanges/ExchangesTab';
import { FindingsTab } from './findings/FindingsTab';
import { InfoTab } from './info/InfoTab';
import { NotesTab } from './notes/NotesTab';
import { RawTab } from './raw/RawTab';
import { SamplesTab } from './samples/SamplesTab';
import { SnapshotsTab } from './snapshots/SnapshotsTab';
import { StateTab } from './state/StateTab';
import type { TabDefinition } from './tab';
import { TokensTab } from './tokens/TokensTab';

/** The tabs of the inspector, in their order. */
export const tabs: readonly TabDefinition[] = [
  { id: 'info', name: 'Info', component: InfoTab },
  { id: 'findings', name: 'Findings', component: FindingsTab, badge: ({ findings }) => findings.length },
  { id: 'raw', name: 'Raw', component: RawTab },
  { id: 'tokens', name: 'Tokens', component: TokensTab },
  { id: 'samples', name: 'Samples', component: SamplesTab },
  { id: 'snapshots', name: 'Snapshots', component: SnapshotsTab },
  { id: 'notes', name: 'Notes', component: NotesTab },
  { id: 'state', name: 'State', component: StateTab },
  { id: 'exchanges', name: 'Exchanges', component: ExchangesTab },
];
