import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useSession } from '../../identity/sign-in/session.js';

/** Loaded when files are first dragged over the window. */
const DropOverlay = lazy(async () => ({ default: (await import('./drop-overlay.js')).DropOverlay }));

/** Accepts files that are dropped anywhere in the window, of people who may add documents. */
export function WindowDrop(): ReactNode {
  const mayAdd = useSession().scopes.includes('write');
  const [isDragging, setDragging] = useState(false);
  const [hasDragged, setHasDragged] = useState(false);
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      // Otherwise the browser opens the file in place of the page.
      event.preventDefault();
      if (!mayAdd || event.type !== 'dragenter') return;
      setDragging(true);
      setHasDragged(true);
    };
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      setDragging(false);
    };
    const onLeave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setDragging(false);
    };
    addEventListener('dragenter', onDrag);
    addEventListener('dragover', onDrag);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragenter', onDrag);
      removeEventListener('dragover', onDrag);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, [mayAdd]);
  return (
    hasDragged && (
      <Suspense>
        <DropOverlay isShown={isDragging} />
      </Suspense>
    )
  );
}
