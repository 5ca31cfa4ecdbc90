export * from './agreement';
export * from './characters';
export * from './chatml';
export * from './deletes';
export * from './notes';
export * from './render';
export * from './samples';
export * from './tokens';
