/** Of the exported file, which cannot use the page's own. */
export const style = `
:root { color-scheme: light dark; --ink: #1b1f27; --quiet: #5b6472; --line: #dfe3ea; --panel: #f6f7f9; --accent: #3355d1; --gone: #a3361f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7ec; --quiet: #9aa3b2; --line: #2c323d; --panel: #191d24; --accent: #8ea6ff; --gone: #ff9d85; }
  body { background: #12151a; }
}
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem; color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0.5rem; font-size: 1rem; color: var(--quiet); }
h3 { margin: 0 0 0.25rem; font-size: 0.85rem; }
small, .quiet { color: var(--quiet); font-weight: 400; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 0.25rem 1rem; margin: 0; }
dl div { display: flex; gap: 0.5rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
article { margin: 0.5rem 0; padding: 0.5rem 0.75rem; border-left: 3px solid var(--line); background: var(--panel); }
article[data-role='assistant'] { border-left-color: var(--accent); }
article[data-fate] { border-left-color: var(--gone); border-left-style: dashed; }
pre { margin: 0.25rem 0; font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
summary { color: var(--quiet); cursor: pointer; }
.call { margin: 0.25rem 0 0; font-weight: 600; }
img { max-width: 100%; max-height: 30rem; }
.choice { display: inline-block; margin-top: 1rem; }
body:has(#seen:checked) article[data-fate='removed'], body:has(#seen:checked) .original { display: none; }
footer { margin-top: 2rem; color: var(--quiet); font-size: 0.85rem; }
@media print { article { break-inside: avoid; } }
`;
