import { create } from 'zustand';

/** Whether the dialog is open; never remembered. */
export const useExportDialog = create<{ isOpen: boolean }>()(() => ({ isOpen: false }));

export const openExport = () => useExportDialog.setState({ isOpen: true });
export const closeExport = () => useExportDialog.setState({ isOpen: false });
