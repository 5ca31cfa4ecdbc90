import { lazy, Suspense } from 'react';
import type { Episode } from '../../model';
import { Button } from '../controls/Button';
import { openExport, useExportDialog } from './store';

const ExportDialog = lazy(() => import('./ExportDialog'));

/** The button in the header, and the dialog once it is wanted. */
export function Export({ episode, step }: { episode: Episode | undefined; step: number }) {
  const isOpen = useExportDialog((state) => state.isOpen);
  return (
    <>
      {episode === undefined ? null : <Button onClick={openExport}>Export</Button>}
      <Suspense>
        {isOpen && episode !== undefined ? <ExportDialog episode={episode} step={step} /> : null}
      </Suspense>
    </>
  );
}
