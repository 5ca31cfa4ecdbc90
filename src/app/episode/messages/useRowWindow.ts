import { useLayoutEffect, useReducer, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useSize } from '../useSize';
import { RowWindow, type Plan, type Range } from './rowWindow';

interface Elements {
  scroller: RefObject<HTMLElement | null>;
  /** All rows, as high as they are together. */
  whole: RefObject<HTMLElement | null>;
  /** What has the rows that are drawn, and nothing else. */
  drawn: RefObject<HTMLElement | null>;
}

interface Options extends Elements, Omit<Plan, 'width' | 'height'> {
  /** Nothing is drawn before. */
  begun: boolean;
}

interface RowList extends Range {
  /** Where the rows that are drawn begin. */
  top: number;
  /** The height of all rows. */
  total: number;
  /** False until the list has a height to scroll in. */
  ready: boolean;
  scrollTo: (index: number) => void;
  offsetOf: (index: number) => number;
}

/**
 * Draws only the rows on screen. They stand in the page's flow, so that one pass is enough: where a step's rows come to
 * stand is known before they are drawn, and their heights, read once, only move the scrollbar.
 */
export function useRowWindow({ begun, scroller, whole, drawn, ...wish }: Options): RowList {
  // What is drawn depends on where the list was scrolled and measured to, which no property tells.
  'use no memo';
  const [list] = useState(() => new RowWindow());
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const size = useSize(scroller);
  const height = begun ? size.height : 0;
  const aim = list.plan({ ...wish, width: size.width, height });

  const ready = height > 0;
  // Drawing again ends: every time, more of what is on the screen is as high as it was measured.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    if (!ready) return;
    list.drawn(wish.place);
    if (settle(list, { scroller, whole, drawn }, aim) === 'more') draw();
  });

  useLayoutEffect(() => {
    const [element, block] = [scroller.current, drawn.current];
    if (element === null || block === null) return;
    const onScroll = () => {
      list.scrollTop = element.scrollTop;
      if (!list.covers) flushSync(draw);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(() => {
      if (settle(list, { scroller, whole, drawn }, undefined) === 'more') draw();
    });
    observer.observe(block);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [list, scroller, whole, drawn]);

  return {
    ...list.range,
    top: list.startOf(list.range.start),
    total: list.total,
    ready,
    scrollTo: (index) => {
      list.want(index);
      draw();
    },
    offsetOf: (index) => list.scrollTopFor(index),
  };
}

/** Takes the heights of what is drawn, and scrolls to where `aim`, or what is at the top of the screen, stands now. */
function settle(list: RowWindow, elements: Elements, aim: number | undefined): 'more' | 'enough' {
  const [scroller, whole, drawn] = [
    elements.scroller.current,
    elements.whole.current,
    elements.drawn.current,
  ];
  if (scroller === null || whole === null || drawn === null) return 'enough';
  const top = list.indexAt(list.scrollTop);
  const beyond = list.scrollTop - list.startOf(top);
  const changed = list.measured(Array.from(drawn.children, (row) => row.getBoundingClientRect().height));
  if (changed) whole.style.height = `${list.total}px`;
  else if (aim === undefined) return 'enough';
  const right = aim === undefined ? list.within(list.startOf(top) + beyond) : list.scrollTopFor(aim);
  if (Math.abs(right - list.scrollTop) >= 1) scroller.scrollTop = right;
  list.scrollTop = right;
  return list.covers ? 'enough' : 'more';
}
