import * as v from 'valibot';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { remembered } from './remembered';

export type Theme = 'system' | 'light' | 'dark';
/** How the episode region shows a step. */
export type ViewMode = 'seen' | 'history' | 'changed';
/** Model text as it is, or rendered as Markdown. */
export type TextMode = 'plain' | 'markdown';

export interface Preferences {
  theme: Theme;
  viewMode: ViewMode;
  textMode: TextMode;
  /** Messages that were cut out of a text are shown as that text. */
  inferredText: boolean;
  /** Columns of the episode table the person showed or hid against the default, by key. */
  columnsShown: Record<string, boolean>;
  columnWidths: Record<string, number>;
}

/** What the person likes, remembered in this browser. */
export const usePreferences = create<Preferences>()(
  persist(
    (): Preferences => ({
      theme: 'system',
      viewMode: 'seen',
      textMode: 'plain',
      inferredText: false,
      columnsShown: {},
      columnWidths: {},
    }),
    remembered<Preferences>('preferences', {
      theme: v.picklist(['system', 'light', 'dark']),
      viewMode: v.picklist(['seen', 'history', 'changed']),
      textMode: v.picklist(['plain', 'markdown']),
      inferredText: v.boolean(),
      columnsShown: v.record(v.string(), v.boolean()),
      columnWidths: v.record(v.string(), v.number()),
    }),
  ),
);

export const setPreferences = (change: Partial<Preferences>) => usePreferences.setState(change);
