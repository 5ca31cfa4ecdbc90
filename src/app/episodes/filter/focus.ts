import { setLayout } from '../../stores/layout';

export const filterBoxId = 'episodes-filter';

/** Brings the cursor into the filter box, wherever the person is. */
export function focusFilter(): void {
  setLayout({ episodesOpen: true });
  requestAnimationFrame(() => {
    const box = document.getElementById(filterBoxId);
    if (box instanceof HTMLInputElement) {
      box.focus();
      box.select();
    }
  });
}
