export { InspectorRegion } from './InspectorRegion';
export { tabs } from './tabs';
