import { closeSearch } from '../search/store';
import { setLayout } from '../stores/layout';
import { say } from '../stores/toasts';
import { noColumns } from './lacks';

/** Parts of the episodes region that commands lead to, wherever the person is. */
export const partIds = {
  filter: 'episodes-filter',
  columns: 'episodes-columns',
  rewards: 'episodes-rewards',
  table: 'episodes-table',
};

/** Brings the cursor into the filter box. */
export function reachFilter(): void {
  reach(partIds.filter, (box) => {
    box?.focus();
    if (box instanceof HTMLInputElement) box.select();
  });
}

/** Opens the menu of columns. */
export function reachColumns(): void {
  reach(partIds.columns, (button) => {
    if (button === null || button.matches(':disabled')) say(noColumns);
    else button.click();
  });
}

/** To the lower end of the range of rewards, which arrows move. */
export function reachRewards(): void {
  reach(partIds.rewards, (histogram) => {
    const end = histogram?.querySelector<HTMLElement>('[role="slider"]') ?? undefined;
    if (end === undefined) say('There are no different rewards to choose from');
    else end.focus();
  });
}

/** Ends the search. The focus, which would be lost with its panel, goes to the table. */
export function leaveSearch(): void {
  closeSearch();
  // As below; who has come from elsewhere is back there by then.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById(partIds.table)?.focus();
  });
}

/** A region that was closed is drawn in a frame of its own, and what is in it once the worker has answered. */
const mostFrames = 60;

function reach(id: string, arrive: (part: HTMLElement | null) => void): void {
  setLayout({ episodesOpen: true });
  const look = (frames: number) =>
    // Not at once: a dialog that the command was chosen in gives the focus back first.
    requestAnimationFrame(() => {
      const part = document.getElementById(id);
      if ((part === null || part.matches(':disabled')) && frames > 0) look(frames - 1);
      else arrive(part);
    });
  look(mostFrames);
}
