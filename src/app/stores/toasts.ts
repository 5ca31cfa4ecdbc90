import { create } from 'zustand';

interface Toast {
  text: string;
  /** Tells two toasts of the same text apart. */
  count: number;
}

/** The last short word to the person: `Link copied`. */
export const useToast = create<{ toast?: Toast }>()(() => ({}));

export function say(text: string): void {
  useToast.setState(({ toast }) => ({ toast: { text, count: (toast?.count ?? 0) + 1 } }));
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    say('The browser did not allow copying');
  }
}
