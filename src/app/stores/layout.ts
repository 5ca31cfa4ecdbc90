import * as v from 'valibot';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { remembered } from './remembered';

/** Which of the side regions are open, and how wide the regions are; remembered in this browser. */
interface Layout {
  episodesOpen: boolean;
  inspectorOpen: boolean;
  /** Percent by region, kept for each set of open regions: `{ 'episode inspector': { episode: 60, inspector: 40 } }`. */
  widths: Record<string, Record<string, number>>;
}

export const useLayout = create<Layout>()(
  persist(
    (): Layout => ({ episodesOpen: true, inspectorOpen: true, widths: {} }),
    remembered<Layout>('layout', {
      episodesOpen: v.boolean(),
      inspectorOpen: v.boolean(),
      widths: v.record(v.string(), v.record(v.string(), v.number())),
    }),
  ),
);

export const setLayout = (change: Partial<Layout>) => useLayout.setState(change);

/** Dialogs: open or not, never remembered. */
export type DialogName = 'palette' | 'help' | 'fork' | 'replay';
export const useDialogs = create<{ open?: DialogName }>()(() => ({}));
export const openDialog = (open: DialogName) => useDialogs.setState({ open });
export const closeDialogs = () => useDialogs.setState({}, true);
