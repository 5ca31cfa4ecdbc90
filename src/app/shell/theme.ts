import { usePreferences } from '../stores/preferences';

/** Keeps `data-theme` on the document what the person chose, or what the system says. */
export function followTheme(): void {
  const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const { theme } = usePreferences.getState();
    const dark = theme === 'dark' || (theme === 'system' && systemDark.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  };
  apply();
  systemDark.addEventListener('change', apply);
  usePreferences.subscribe(apply);
}
