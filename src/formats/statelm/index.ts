export { statelmAgentdata } from './agentdata';
export { statelmApiCalls } from './api-calls';
export { statelmDebugStep } from './debug-step';
export { statelmFinalResult } from './final-result';
export { statelmInferenceResult } from './inference-result';
export { statelmResultsRow } from './results-row';
export { statelmSaveTrajectory } from './save-trajectory';
export { statelmTrainTrajectory } from './train-trajectory';
