import { type RefCallback, useCallback, useEffect, useRef } from 'react';

/** A reader who is this close to the end, in pixels, follows what is added there. */
const NEAR = 48;

/**
 * Keeps an element scrolled to its end while its content grows, until its reader scrolls up.
 *
 * @param subject of the content. Another one is shown at its end, wherever its reader was
 * @returns the ref of the element that scrolls; its first child holds the content
 */
export function useStickyBottom(subject: string): RefCallback<HTMLElement> {
  const follows = useRef(true);
  const scroller = useRef<HTMLElement | null>(null);
  useEffect(() => {
    follows.current = true;
    toEnd(scroller.current);
  }, [subject]);
  return useCallback((element) => {
    scroller.current = element;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const onScroll = (): void => {
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR;
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) toEnd(element);
    });
    observer.observe(content);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
}

function toEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}
