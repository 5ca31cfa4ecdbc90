import { useEffect, useRef } from 'react';
import type { Command } from './command';
import { sequences, strokeOf } from './keys';
import { useDialogs } from '../stores/layout';
import { say } from '../stores/toasts';

/** Runs commands by their keys, except while the person types into something. */
export function useKeys(commands: readonly Command[]): void {
  const current = useRef(commands);
  useEffect(() => {
    current.current = commands;
  });
  useEffect(() => {
    const { press } = sequences(() => current.current.flatMap((command) => command.keys));
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const stroke = strokeOf(event);
      if (stroke === undefined || (takesText(event.target) && !stroke.startsWith('mod+'))) return;
      if (useDialogs.getState().open !== undefined || inMenu(event.target)) return;
      const keys = press(stroke);
      const command = current.current.find(
        (candidate) => keys !== undefined && candidate.keys.includes(keys),
      );
      if (command === undefined) return;
      event.preventDefault();
      if (command.unavailable === undefined) command.run({ held: event.repeat });
      else say(command.unavailable);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox], [type=radio], [type=file]), textarea, select'))
  );
}

/** An open menu or popover takes letters to find its items by. */
function inMenu(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('[role="menu"], [role="dialog"], [role="listbox"]') !== null
  );
}
