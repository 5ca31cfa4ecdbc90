import { errorText } from '../model/error-text';
import { containerFailure, isContainerError } from './parts';
import type { Failure } from './protocol';
import { TooBigToGather } from './recognise';

/** Nothing more can be read, and what to say of it is known. */
export class Failed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.what);
    this.failure = failure;
  }
}

export const nothingIsJson: Failure = {
  what: 'Nothing in this file is JSON.',
  next: 'Open a JSON or JSONL file. What was found instead is named line by line.',
};

/** Whether the same bytes may be had another time: nothing is wrong with what they hold. */
export function mayPass(error: unknown): boolean {
  return !(isContainerError(error) || error instanceof Failed || error instanceof TooBigToGather);
}

/** What is said of an error that ended the reading, after so many bytes. */
export function failureOf(error: unknown, bytesRead: number): Failure {
  if (isContainerError(error)) return containerFailure(error);
  if (error instanceof Failed) return error.failure;
  if (error instanceof TooBigToGather) {
    return {
      what: `All of this file is one ${error.message}, and it is too big to be read as one.`,
      next: 'Cut it into parts of less than 256 MB and open those.',
    };
  }
  if (bytesRead === 0) {
    return {
      what: `This cannot be read: ${sentence(error)}`,
      next: 'If it is a folder, open the files in it. If the file was changed or moved, open it again.',
    };
  }
  return {
    what: `Reading stopped after ${bytesRead} bytes: ${sentence(error)}`,
    next: 'What was read stays. If the file was changed meanwhile, open it again.',
  };
}

/** What comes next begins anew. */
function sentence(error: unknown): string {
  const text = errorText(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
