import { FindingsTab } from './findings/FindingsTab';
import { InfoTab } from './info/InfoTab';
import { RawTab } from './raw/RawTab';
import type { TabDefinition } from './tab';

/** The tabs of the inspector, in their order. */
export const tabs: readonly TabDefinition[] = [
  { id: 'info', name: 'Info', component: InfoTab },
  { id: 'findings', name: 'Findings', component: FindingsTab, badge: ({ findings }) => findings.length },
  { id: 'raw', name: 'Raw', component: RawTab },
];
