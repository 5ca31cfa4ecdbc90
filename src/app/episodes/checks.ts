import { create } from 'zustand';
import type { LintState, SourceId } from '../../ingest/protocol';
import { ingest } from '../data/ingest';
import { errorText } from '../../model/error-text';

interface Checks {
  state?: LintState;
  failure?: string;
}

/** Lint over all episodes: how far it is, and what stopped it. */
export const useChecks = create<Checks>()(() => ({}));

let runs = 0;

export function checkAll(sources: readonly SourceId[]): void {
  const run = ++runs;
  useChecks.setState({}, true);
  ingest()
    .lint(sources, (state) => {
      // A run that another has ended says so, too.
      if (run === runs) useChecks.setState({ state });
    })
    .catch((error: unknown) => {
      if (run === runs) useChecks.setState({ failure: errorText(error) }, true);
    });
}

export function cancelChecks(): void {
  void ingest().cancelLint();
}

export function dismissChecks(): void {
  useChecks.setState({}, true);
}
