import type { Gap, Metrics, TaskRef } from './episode';

/** What the table shows of an episode without opening it. */
export interface EpisodeSummary {
  title: string;
  task?: TaskRef;
  reward?: number;
  counts: Counts;
  /** Names of the tools that were called, each once; absent where an importer does not look. */
  tools?: string[];
  /** Of the environment's server: those that answered for it, each once. */
  sessions?: string[];
  steps: number;
  edits: number;
  samples: number;
  metrics: Metrics;
  /** Which kinds of things the source does not have. */
  gaps: Gap['about'][];
}

/** Items of the response, and apart from them those that stood in the request. */
export interface Counts {
  messages: number;
  toolCalls: number;
  toolResults: number;
  reasoning: number;
  inputMessages: number;
  inputToolCalls: number;
  inputToolResults: number;
  inputReasoning: number;
}

export function noCounts(): Counts {
  return {
    messages: 0,
    toolCalls: 0,
    toolResults: 0,
    reasoning: 0,
    inputMessages: 0,
    inputToolCalls: 0,
    inputToolResults: 0,
    inputReasoning: 0,
  };
}
