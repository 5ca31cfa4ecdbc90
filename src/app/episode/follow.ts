import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** Whether a change of step brings its emission into view; remembered in this browser. */
const useFollowStore = create<{ follow: boolean }>()(
  persist((): { follow: boolean } => ({ follow: true }), { name: 'rollscope.follow', version: 1 }),
);

export const useFollow = () => useFollowStore((state) => state.follow);

export const setFollow = (follow: boolean) => useFollowStore.setState({ follow });
