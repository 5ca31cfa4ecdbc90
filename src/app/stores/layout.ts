import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** Which of the side regions are open, and how wide each region is in percent; remembered in this browser. */
interface Layout {
  episodesOpen: boolean;
  inspectorOpen: boolean;
  sizes: Record<string, number>;
}

export const useLayout = create<Layout>()(
  persist((): Layout => ({ episodesOpen: true, inspectorOpen: true, sizes: {} }), {
    name: 'rollscope.layout',
    version: 1,
  }),
);

export const setLayout = (change: Partial<Layout>) => useLayout.setState(change);

/** Dialogs: open or not, never remembered. */
export const useDialogs = create<{ open?: 'palette' | 'help' }>()(() => ({}));
export const openDialog = (open: 'palette' | 'help') => useDialogs.setState({ open });
export const closeDialogs = () => useDialogs.setState({}, true);
