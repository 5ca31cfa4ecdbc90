import { useEffect, useReducer, useRef } from 'react';
import type { Command, CommandId } from './command';
import { sequences, strokeOf } from './keys';
import { useDialogs } from '../stores/layout';
import { say } from '../stores/toasts';

/**
 * Runs commands by their keys, except while the person types into something. Who types faster than episodes open gets
 * what was typed: `J j j` is the third step of the next episode.
 */
export function useKeys(commands: readonly Command[]): void {
  const current = useRef(commands);
  const waiting = useRef<CommandId[]>([]);
  const [looks, lookAgain] = useReducer((times: number) => times + 1, 0);

  useEffect(() => {
    current.current = commands;
    const next = commands.find(({ id }) => id === waiting.current[0]);
    if (next === undefined || next.waits === true) return;
    waiting.current.shift();
    perform(next, false);
    // The one after it starts from where this one led.
    if (waiting.current.length > 0) lookAgain();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [commands, looks]);

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
      // What was typed for an episode that the person leaves is void.
      if (command.group === 'Episodes') waiting.current = [];
      // Nothing overtakes what waits.
      if (command.waits !== true && waiting.current.length === 0) perform(command, event.repeat);
      else if (!event.repeat) waiting.current.push(command.id);
    };
    const forget = () => {
      waiting.current = [];
    };
    window.addEventListener('keydown', listen);
    window.addEventListener('pointerdown', forget);
    return () => {
      window.removeEventListener('keydown', listen);
      window.removeEventListener('pointerdown', forget);
    };
  }, []);
}

function perform(command: Command, held: boolean): void {
  if (command.unavailable === undefined) command.run({ held });
  else say(command.unavailable);
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
