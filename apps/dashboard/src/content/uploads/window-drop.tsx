import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useSession } from '../../identity/sign-in/session.js';

/** Loaded when files are first dragged over the window. */
const DropOverlay = lazy(async () => ({ default: (await import('./drop-overlay.js')).DropOverlay }));

/** Accepts files that are dropped anywhere in the window, of people who may add documents. */
export function WindowDrop(): ReactNode {
  const mayAdd = useSession().scopes.includes('write');
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      // Otherwise the browser opens the file in place of the page.
      event.preventDefault();
      if (mayAdd && event.type === 'dragenter') setDragging(true);
    };
    const onDrop = (event: DragEvent): void => {
      // A library that takes the files ends the dragging when it has read their names.
      if (!event.defaultPrevented) setDragging(false);
      event.preventDefault();
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
    isDragging && (
      <Suspense>
        <DropOverlay onDropped={() => setDragging(false)} />
      </Suspense>
    )
  );
}
