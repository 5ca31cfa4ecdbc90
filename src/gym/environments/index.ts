import type { Environment } from '../environment';
import { documentQa } from './document_qa';
import { multiStep } from './multi_step';
import { multiStepMath } from './multi_step_math';
import { perUserAssistant } from './per_user_assistant';
import { simpleWeather } from './simple_weather';
import { statefulCounter } from './stateful_counter';

/** The environments that ship. */
export const environments: readonly Environment[] = [
  simpleWeather,
  statefulCounter,
  multiStep,
  multiStepMath,
  documentQa,
  perUserAssistant,
];

export function environmentNamed(name: string): Environment | undefined {
  return environments.find((environment) => environment.name === name);
}
