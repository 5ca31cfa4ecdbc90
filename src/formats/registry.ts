import { atif } from './atif/atif';
import { atof } from './atif/atof';
import { alpaca } from './chat/alpaca';
import { chatMessages, openaiChat } from './chat/openai-chat';
import { promptCompletion } from './chat/prompt-completion';
import { openaiResponses } from './chat/responses';
import { sharegpt } from './chat/sharegpt';
import { claudeCodeSession } from './claude-code/claude-code';
import type { Format } from './format';
import { geminiCliSession } from './gemini-cli/gemini-cli';
import { json } from './generic';
import { inspectEvalZip, inspectJson } from './inspect/inspect';
import { nemoGymAgentMetrics, nemoGymAggregateMetrics } from './nemo-gym/agent-metrics';
import { nemoGymCapture } from './nemo-gym/capture';
import { nemoGymCustomRow } from './nemo-gym/custom-row';
import { nemoGymRewardProfiling } from './nemo-gym/reward-profiling';
import { nemoGymFailure, nemoGymRollout } from './nemo-gym/rollout';
import { nemoGymTaskInput } from './nemo-gym/task-input';
import { nemoRlStepDump } from './nemo-rl/step-dump';
import { rllmEpisode } from './rllm/episode';
import { rollscope } from './rollscope/rollscope';
import {
  statelmAgentdata,
  statelmApiCalls,
  statelmDebugStep,
  statelmFinalResult,
  statelmInferenceResult,
  statelmResultsRow,
  statelmSaveTrajectory,
  statelmTrainTrajectory,
} from './statelm';
import { opencodeSession } from './opencode/opencode';
import { openhandsEvents, openhandsOutput } from './openhands/openhands';
import { bareMessageArray, miniSweAgent } from './swe-agent/mini';
import { sweAgentTraj } from './swe-agent/swe-agent';
import { tau2Results, tau2Simulation } from './tau2/tau2';
import { verifiersV1Episode } from './verifiers/episode';
import { verifiersResults } from './verifiers/results';
import { verlDump } from './verl/verl';

/** Every format, one line each. On equal confidence the earlier one wins. */
export const formats: readonly Format[] = [
  rollscope,
  nemoGymRollout,
  nemoGymFailure,
  nemoGymTaskInput,
  nemoGymRewardProfiling,
  nemoGymAggregateMetrics,
  nemoGymAgentMetrics,
  nemoGymCustomRow,
  nemoGymCapture,
  statelmInferenceResult,
  statelmSaveTrajectory,
  statelmApiCalls,
  statelmFinalResult,
  statelmResultsRow,
  statelmTrainTrajectory,
  statelmDebugStep,
  statelmAgentdata,
  verlDump,
  nemoRlStepDump,
  verifiersV1Episode,
  verifiersResults,
  rllmEpisode,
  inspectJson,
  inspectEvalZip,
  atif,
  atof,
  sweAgentTraj,
  miniSweAgent,
  bareMessageArray,
  openhandsEvents,
  openhandsOutput,
  tau2Results,
  tau2Simulation,
  claudeCodeSession,
  geminiCliSession,
  opencodeSession,
  openaiResponses,
  openaiChat,
  chatMessages,
  sharegpt,
  alpaca,
  promptCompletion,
  json,
];

/** The format that is surest of this record, or undefined where none claims it. */
export function detectFormat(value: unknown): Format | undefined {
  let best: Format | undefined;
  let confidence = 0;
  for (const format of formats) {
    const claim = format.confidence(value);
    if (claim > confidence) {
      best = format;
      confidence = claim;
    }
  }
  return best;
}
